// The main job with the client that openapi-generator's `go` makes: main <url> <api key> <company>.
package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	finhook "example.com/clients/finhook"
)

const (
	client             = "go"
	balanceCents int64 = 123_456_789_012_345
	amountCents  int64 = -4_294_967_297
)

func expect(actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		panic(fmt.Sprintf("expected %v, got %v", expected, actual))
	}
}

func must[T any](answer T, response any, err error) T {
	if err != nil {
		panic(fmt.Sprintf("%v: %v", err, response))
	}
	return answer
}

func row(number int) finhook.BankTransactionInput {
	postedAt := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	input := finhook.NewBankTransactionInput(fmt.Sprintf("%s-%d", client, number), postedAt, amountCents)
	input.SetCurrency("USD")
	input.SetConnectionId(client)
	return *input
}

// An event is in the feed a moment after its request was answered.
func findEvent(ctx context.Context, api *finhook.APIClient, id string) finhook.Event {
	for range 100 {
		page, response, err := api.EventsAPI.EventsList(ctx).Type_("bank.balance.updated").Order("desc").Limit(200).Execute()
		for _, event := range must(page, response, err).Data {
			if event.Id == id {
				return event
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	panic("the feed does not have " + id)
}

func main() {
	url, key, companyId := os.Args[1], os.Args[2], os.Args[3]
	configuration := finhook.NewConfiguration()
	configuration.Servers = finhook.ServerConfigurations{{URL: url}}
	api := finhook.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), finhook.ContextAccessToken, key)

	zero := 0.0
	condition := finhook.NewFilterGt("gt", "data.balance_cents", finhook.FilterBound{Float64: &zero})
	filter := finhook.FilterGtAsPayloadFilter(condition)
	endpointBody := finhook.NewWebhookEndpointsCreateBody("http://127.0.0.1:9/hook")
	endpointBody.SetEvents([]string{"bank.balance.updated"})
	endpointBody.SetFilter(filter)
	endpoint, response, err := api.WebhookEndpointsAPI.WebhookEndpointsCreate(ctx).WebhookEndpointsCreateBody(*endpointBody).Execute()
	must(endpoint, response, err)
	expect(strings.HasPrefix(endpoint.Secret, "whsec_"), true)
	expect(*endpoint.Filter.Get().FilterGt.Value.Float64, zero)

	balanceBody := finhook.NewCashBalancesUpsertBody("2026-03-31", balanceCents, "USD")
	balanceBody.SetConnectionId(client)
	balance, response, err := api.CashAPI.CashBalancesUpsert(ctx, companyId).CashBalancesUpsertBody(*balanceBody).Execute()
	must(balance, response, err)
	expect(balance.Result, "created")
	stored, response, err := api.CashAPI.CashBalancesGet(ctx, companyId, balance.Id).Execute()
	expect(must(stored, response, err).BalanceCents, balanceCents)

	first := row(1)
	oneBody := finhook.BankTransactionInputAsBankTransactionsIngestBody(&first)
	one, response, err := api.BankAPI.BankTransactionsIngest(ctx, companyId).BankTransactionsIngestBody(oneBody).Execute()
	must(one, response, err)
	expect([]int64{one.Received, one.Inserted, one.Transactions[0].AmountCents}, []int64{1, 1, amountCents})
	batch := finhook.NewBankTransactionsIngestBatch([]finhook.BankTransactionInput{row(1), row(2), row(3)})
	manyBody := finhook.BankTransactionsIngestBatchAsBankTransactionsIngestBody(batch)
	many, response, err := api.BankAPI.BankTransactionsIngest(ctx, companyId).BankTransactionsIngestBody(manyBody).Execute()
	must(many, response, err)
	expect([]int64{many.Received, many.Inserted, many.Skipped}, []int64{3, 2, 1})

	snapshotBody := finhook.NewFinancialsSnapshotsUpsertBody("income", "2026-03-31", "USD")
	snapshotBody.SetPeriodStart("2026-03-01")
	snapshotBody.SetTotals(map[string]float64{"revenue": float64(balanceCents)})
	snapshotBody.SetLineItems([]finhook.LineItemInput{*finhook.NewLineItemInput("revenue", "Revenue", balanceCents)})
	snapshot, response, err := api.FinancialsAPI.FinancialsSnapshotsUpsert(ctx, companyId).FinancialsSnapshotsUpsertBody(*snapshotBody).Execute()
	must(snapshot, response, err)
	expect(snapshot.LineItems[0].AmountCents, balanceCents)
	expect(snapshot.Totals, map[string]float64{"revenue": float64(balanceCents)})

	event := findEvent(ctx, api, balance.EventId)
	expect(*event.Data["balance_cents"], any(float64(balanceCents)))

	company, response, err := api.CompaniesAPI.CompaniesGet(ctx, companyId).Execute()
	expect(must(company, response, err).Id, companyId)
}
