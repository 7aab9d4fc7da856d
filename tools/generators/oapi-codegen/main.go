// The main job with the client that oapi-codegen makes: main <url> <api key> <company>.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"example.com/clients/finhook"
	"github.com/oapi-codegen/runtime/types"
)

const (
	client             = "oapi-codegen"
	balanceCents int64 = 123_456_789_012_345
	amountCents  int64 = -4_294_967_297
)

func expect(actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		panic(fmt.Sprintf("expected %v, got %v", expected, actual))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func pointer[T any](value T) *T { return &value }

func day(number int) types.Date {
	return types.Date{Time: time.Date(2026, 3, number, 0, 0, 0, 0, time.UTC)}
}

func row(number int) finhook.BankTransactionInput {
	return finhook.BankTransactionInput{
		ExternalId:   fmt.Sprintf("%s-%d", client, number),
		PostedAt:     time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC),
		AmountCents:  amountCents,
		Currency:     pointer("USD"),
		ConnectionId: pointer(client),
	}
}

// An event is in the feed a moment after its request was answered.
func findEvent(ctx context.Context, api *finhook.ClientWithResponses, id string) finhook.Event {
	filter := &finhook.EventsListParams{
		Type:  pointer(finhook.EventsListParamsType("bank.balance.updated")),
		Order: pointer(finhook.EventsListParamsOrder("desc")),
		Limit: pointer(int32(200)),
	}
	for range 100 {
		page, err := api.EventsListWithResponse(ctx, filter)
		check(err)
		expect(page.StatusCode(), 200)
		for _, event := range page.JSON200.Data {
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
	ctx := context.Background()
	api, err := finhook.NewClientWithResponses(url, finhook.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+key)
			return nil
		}))
	check(err)

	var bound finhook.FilterBound
	check(bound.FromFilterBound1(0))
	var filter finhook.PayloadFilter
	check(filter.FromFilterGt(finhook.FilterGt{Field: "data.balance_cents", Value: bound}))
	endpoint, err := api.WebhookEndpointsCreateWithResponse(ctx, nil, finhook.WebhookEndpointsCreateBody{
		Url:    "http://127.0.0.1:9/hook",
		Events: &[]string{"bank.balance.updated"},
		Filter: &filter,
	})
	check(err)
	expect(endpoint.StatusCode(), 201)
	expect(strings.HasPrefix(endpoint.JSON201.Secret, "whsec_"), true)
	condition, err := endpoint.JSON201.Filter.AsFilterGt()
	check(err)
	value, err := condition.Value.AsFilterBound1()
	check(err)
	expect(value, finhook.FilterBound1(0))

	balance, err := api.CashBalancesUpsertWithResponse(ctx, companyId, nil, finhook.CashBalancesUpsertBody{
		AsOf: day(31), BalanceCents: balanceCents, Currency: "USD", ConnectionId: pointer(client),
	})
	check(err)
	expect(balance.StatusCode(), 201)
	stored, err := api.CashBalancesGetWithResponse(ctx, companyId, balance.JSON201.Id)
	check(err)
	expect(stored.JSON200.BalanceCents, balanceCents)

	var oneBody, manyBody finhook.BankTransactionsIngestBody
	check(oneBody.FromBankTransactionInput(row(1)))
	one, err := api.BankTransactionsIngestWithResponse(ctx, companyId, nil, oneBody)
	check(err)
	expect(one.StatusCode(), 201)
	counts := []int64{one.JSON201.Received, one.JSON201.Inserted, one.JSON201.Transactions[0].AmountCents}
	expect(counts, []int64{1, 1, amountCents})
	batch := finhook.BankTransactionsIngestBatch{Transactions: []finhook.BankTransactionInput{row(1), row(2), row(3)}}
	check(manyBody.FromBankTransactionsIngestBatch(batch))
	many, err := api.BankTransactionsIngestWithResponse(ctx, companyId, nil, manyBody)
	check(err)
	expect([]int64{many.JSON201.Received, many.JSON201.Inserted, many.JSON201.Skipped}, []int64{3, 2, 1})

	totals := map[string]float64{"revenue": float64(balanceCents)}
	snapshot, err := api.FinancialsSnapshotsUpsertWithResponse(ctx, companyId, nil, finhook.FinancialsSnapshotsUpsertBody{
		StatementType: "income",
		PeriodStart:   pointer(day(1)),
		PeriodEnd:     day(31),
		Currency:      "USD",
		Totals:        &totals,
		LineItems:     &[]finhook.LineItemInput{{Key: "revenue", Label: "Revenue", AmountCents: balanceCents}},
	})
	check(err)
	expect(snapshot.StatusCode(), 201)
	expect(snapshot.JSON201.LineItems[0].AmountCents, balanceCents)
	expect(snapshot.JSON201.Totals, totals)

	event := findEvent(ctx, api, balance.JSON201.EventId)
	expect(event.Data["balance_cents"], any(float64(balanceCents)))

	company, err := api.CompaniesGetWithResponse(ctx, companyId)
	check(err)
	expect(company.JSON200.Id, companyId)
}
