// The provider sends a CSV of bank transactions and a balance: first as a dry run, then for real. To run it again is
// safe, because known rows are skipped.
//
//	provider -company co_… -connection checking -currency USD -balance 4125000 -as-of 2026-03-31 transactions.csv
//
// The file has the columns external_id, posted_at, amount_cents and description. FINHOOK_URL and FINHOOK_KEY say where
// the service listens, and have an API key of scope ingest or higher.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"time"

	finhook "github.com/finhook/finhook-go"
)

// The most transactions that a request may have.
const batchSize = 500

func main() {
	company := flag.String("company", "", "ID of the company")
	connection := flag.String("connection", "", "your name of the bank account")
	currency := flag.String("currency", "USD", "currency of the account")
	balance := flag.Int64("balance", 0, "balance in cents")
	asOf := flag.String("as-of", time.Now().UTC().Format(time.DateOnly), "day of the balance")
	flag.Parse()
	if flag.NArg() != 1 || *company == "" || *connection == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	client, err := finhook.New(os.Getenv("FINHOOK_KEY"), finhook.WithBaseURL(os.Getenv("FINHOOK_URL")),
		finhook.WithOnRetry(func(retry finhook.Retry) { log.Printf("retry in %s: %s", retry.Delay, retry.Err) }))
	check(err)
	rows, err := readRows(flag.Arg(0), *connection, *currency)
	check(err)

	for _, dryRun := range []bool{true, false} {
		for batch := range slices.Chunk(rows, batchSize) {
			check(sendBatch(ctx, client, *company, batch, dryRun))
		}
	}
	stored, err := client.CashBalancesUpsert(ctx, *company, nil, finhook.CashBalancesUpsertBody{
		AsOf: *asOf, BalanceCents: *balance, Currency: *currency, ConnectionID: connection,
	})
	check(err)
	fmt.Printf("balance of %s: %d (%s)\n", stored.AsOf, stored.BalanceCents, stored.Result)
}

func sendBatch(ctx context.Context, client *finhook.Client, company string, rows []finhook.BankTransactionInput, dryRun bool) error {
	var body finhook.BankTransactionsIngestBody
	if err := body.FromBankTransactionsIngestBatch(finhook.BankTransactionsIngestBatch{Transactions: rows}); err != nil {
		return err
	}
	params := &finhook.BankTransactionsIngestParams{DryRun: &dryRun}
	if !dryRun {
		// The key is made from the rows, so that also another run of this program is answered as the first one was.
		text, err := body.MarshalJSON()
		if err != nil {
			return err
		}
		params.IdempotencyKey = finhook.Ptr(fmt.Sprintf("transactions-%x", sha256.Sum256(text)))
	}
	result, err := client.BankTransactionsIngest(ctx, company, params, body)
	if finhook.IsProblem(err, "company_not_found") {
		return fmt.Errorf("there is no company %s: %w", company, err)
	}
	if err != nil {
		return err
	}
	for _, warning := range result.Warnings {
		log.Printf("warning: %s", warning.Message)
	}
	if result.Failed > 0 {
		invalid, _ := json.MarshalIndent(result.Errors, "", "  ")
		return fmt.Errorf("%d invalid rows, nothing was stored: %s", result.Failed, invalid)
	}
	fmt.Printf("dry run: %t, new: %d, known: %d\n", dryRun, result.Inserted, result.Skipped)
	return nil
}

func readRows(name, connection, currency string) ([]finhook.BankTransactionInput, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = 4
	records, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, errors.New("the file is empty")
	}
	var rows []finhook.BankTransactionInput
	for i, record := range records[1:] {
		postedAt, err := time.Parse(time.RFC3339, record[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		cents, err := strconv.ParseInt(record[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		rows = append(rows, finhook.BankTransactionInput{
			ExternalID: record[0], PostedAt: postedAt, AmountCents: cents, Description: &record[3],
			Currency: &currency, ConnectionID: &connection,
		})
	}
	return rows, nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
