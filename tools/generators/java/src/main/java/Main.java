import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.BankApi;
import org.openapitools.client.api.CashApi;
import org.openapitools.client.api.CompaniesApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.FinancialsApi;
import org.openapitools.client.api.WebhookEndpointsApi;
import org.openapitools.client.model.BankTransactionInput;
import org.openapitools.client.model.BankTransactionsIngestBatch;
import org.openapitools.client.model.BankTransactionsIngestBody;
import org.openapitools.client.model.CashBalanceResult;
import org.openapitools.client.model.CashBalancesUpsertBody;
import org.openapitools.client.model.Event;
import org.openapitools.client.model.FilterBound;
import org.openapitools.client.model.FilterGt;
import org.openapitools.client.model.FinancialSnapshotResult;
import org.openapitools.client.model.FinancialsSnapshotsUpsertBody;
import org.openapitools.client.model.LineItemInput;
import org.openapitools.client.model.PayloadFilter;
import org.openapitools.client.model.TransactionIngest;
import org.openapitools.client.model.WebhookEndpointWithSecretResult;
import org.openapitools.client.model.WebhookEndpointsCreateBody;

/** The main job with the client that openapi-generator's `java` makes: Main <url> <api key> <company>. */
public final class Main {
  private static final String CLIENT = "java";
  private static final long BALANCE_CENTS = 123_456_789_012_345L;
  private static final long AMOUNT_CENTS = -4_294_967_297L;

  private static void expect(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError("expected " + expected + ", got " + actual);
    }
  }

  private static BankTransactionInput row(int number) {
    return new BankTransactionInput()
        .externalId(CLIENT + "-" + number)
        .postedAt(OffsetDateTime.parse("2026-03-31T12:00:00Z"))
        .amountCents(AMOUNT_CENTS)
        .currency("USD")
        .connectionId(CLIENT);
  }

  /** An event is in the feed a moment after its request was answered. */
  private static Event findEvent(EventsApi events, String id) throws ApiException, InterruptedException {
    for (int i = 0; i < 100; i++) {
      List<Event> page =
          events.eventsList(200, null, null, "desc", null, "bank.balance.updated", null, null, null, null).getData();
      for (Event event : page) {
        if (event.getId().equals(id)) return event;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("the feed does not have " + id);
  }

  public static void main(String[] arguments) throws ApiException, InterruptedException {
    String key = arguments[1];
    String companyId = arguments[2];
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));

    FilterGt condition =
        new FilterGt().op(FilterGt.OpEnum.GT).field("data.balance_cents").value(new FilterBound(0.0));
    WebhookEndpointWithSecretResult endpoint =
        new WebhookEndpointsApi(client)
            .webhookEndpointsCreate(
                new WebhookEndpointsCreateBody()
                    .url("http://127.0.0.1:9/hook")
                    .addEventsItem("bank.balance.updated")
                    .filter(new PayloadFilter(condition)),
                null);
    expect(endpoint.getSecret().startsWith("whsec_"), true);
    expect(endpoint.getFilter().getFilterGt().getValue().getDouble(), 0.0);

    CashApi cash = new CashApi(client);
    CashBalanceResult balance =
        cash.cashBalancesUpsert(
            companyId,
            new CashBalancesUpsertBody()
                .asOf(LocalDate.parse("2026-03-31"))
                .balanceCents(BALANCE_CENTS)
                .currency("USD")
                .connectionId(CLIENT),
            null,
            null);
    expect(balance.getResult(), CashBalanceResult.ResultEnum.CREATED);
    expect(cash.cashBalancesGet(companyId, balance.getId()).getBalanceCents(), BALANCE_CENTS);

    BankApi bank = new BankApi(client);
    TransactionIngest one =
        bank.bankTransactionsIngest(companyId, new BankTransactionsIngestBody(row(1)), null, null, null, null, null);
    expect(List.of(one.getReceived(), one.getInserted()), List.of(1L, 1L));
    expect(one.getTransactions().get(0).getAmountCents(), AMOUNT_CENTS);
    BankTransactionsIngestBatch batch = new BankTransactionsIngestBatch().transactions(List.of(row(1), row(2), row(3)));
    TransactionIngest many =
        bank.bankTransactionsIngest(companyId, new BankTransactionsIngestBody(batch), null, null, null, null, null);
    expect(List.of(many.getReceived(), many.getInserted(), many.getSkipped()), List.of(3L, 2L, 1L));

    FinancialSnapshotResult snapshot =
        new FinancialsApi(client)
            .financialsSnapshotsUpsert(
                companyId,
                new FinancialsSnapshotsUpsertBody()
                    .statementType(FinancialsSnapshotsUpsertBody.StatementTypeEnum.INCOME)
                    .periodStart(LocalDate.parse("2026-03-01"))
                    .periodEnd(LocalDate.parse("2026-03-31"))
                    .currency("USD")
                    .totals(Map.of("revenue", (double) BALANCE_CENTS))
                    .addLineItemsItem(new LineItemInput().key("revenue").label("Revenue").amountCents(BALANCE_CENTS)),
                null,
                null);
    expect(snapshot.getLineItems().get(0).getAmountCents(), BALANCE_CENTS);
    expect(snapshot.getTotals(), Map.of("revenue", (double) BALANCE_CENTS));

    Event event = findEvent(new EventsApi(client), balance.getEventId());
    expect(event.getData().get("balance_cents"), BALANCE_CENTS);

    expect(new CompaniesApi(client).companiesGet(companyId).getId(), companyId);
  }
}
