// The provider sends a CSV of bank transactions and the closing balance: first as a dry run, then for real.
//
//	provider -company co_… -connection acme-checking -balance 41250.00 -as-of 2026-03-31 transactions.csv
//
// The file has the columns id, date, amount and description; an amount is a decimal, negative for money out. Run it again
// after a failure, or with a longer file: nothing is stored twice. FINHOOK_URL and FINHOOK_API_KEY say where the service
// listens, and have an API key of scope ingest.
package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path"
	"regexp"
	"slices"
	"strconv"
	"time"

	finhook "github.com/finhook/finhook-go"
)

// The most transactions that a request may have.
const batchSize = 500

func main() {
	log.SetFlags(0)
	company := flag.String("company", "", "ID of the company (co_…)")
	connection := flag.String("connection", "", "your label of the bank account")
	currency := flag.String("currency", "USD", "currency of the account, one with two decimals")
	balance := flag.String("balance", "", "closing balance, for example 41250.00")
	asOf := flag.String("as-of", "", "day of the balance, YYYY-MM-DD")
	flag.Parse()
	if flag.NArg() != 1 || slices.Contains([]string{*company, *connection, *balance, *asOf}, "") {
		fmt.Fprintln(os.Stderr, "usage: provider -company co_… -connection … -balance … -as-of … [-currency …] transactions.csv")
		flag.PrintDefaults()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	client, err := finhook.New(os.Getenv("FINHOOK_API_KEY"), finhook.WithBaseURL(os.Getenv("FINHOOK_URL")),
		finhook.WithOnRetry(func(retry finhook.Retry) { log.Printf("retry in %s: %s", retry.Delay, retry.Err) }))
	check(err)
	rows, err := readRows(flag.Arg(0), *connection, *currency)
	check(err)
	cents, err := toCents(*balance)
	check(err)
	closing := finhook.CashBalancesUpsertBody{AsOf: *asOf, BalanceCents: cents, Currency: *currency, ConnectionID: connection}

	var invalid, inserted, known int64
	// Everything is checked before anything is stored.
	for batch := range slices.Chunk(rows, batchSize) {
		checked, err := ingest(ctx, client, *company, batch, true)
		check(err)
		invalid += checked.Failed
		for _, row := range checked.Errors {
			log.Printf("transaction %s: %s %s", batch[row.Index].ExternalID, path.Base(row.Pointer), row.Message)
		}
		warn(checked.Warnings)
	}
	checked, err := client.CashBalancesUpsert(ctx, *company, &finhook.CashBalancesUpsertParams{DryRun: finhook.Ptr(true)}, closing)
	check(err)
	warn(checked.Warnings)
	if invalid > 0 {
		log.Fatalf("%d invalid transactions; nothing was stored.", invalid)
	}

	for batch := range slices.Chunk(rows, batchSize) {
		result, err := ingest(ctx, client, *company, batch, false)
		check(err)
		inserted += result.Inserted
		known += result.Skipped
	}
	stored, err := client.CashBalancesUpsert(ctx, *company, nil, closing)
	check(err)
	fmt.Printf("%d transactions stored, %d known; balance %s\n", inserted, known, stored.Result)
}

func ingest(ctx context.Context, client *finhook.Client, company string, rows []finhook.BankTransactionInput, dryRun bool) (*finhook.TransactionIngest, error) {
	var body finhook.BankTransactionsIngestBody
	if err := body.FromBankTransactionsIngestBatch(finhook.BankTransactionsIngestBatch{Transactions: rows}); err != nil {
		return nil, err
	}
	return client.BankTransactionsIngest(ctx, company, &finhook.BankTransactionsIngestParams{DryRun: &dryRun}, body)
}

func readRows(name, connection, currency string) ([]finhook.BankTransactionInput, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	header, err := reader.Read()
	if err != nil || !slices.Equal(header, []string{"id", "date", "amount", "description"}) {
		return nil, fmt.Errorf("%s: the first line must be id,date,amount,description", name)
	}
	var rows []finhook.BankTransactionInput
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		day, err := time.Parse(time.DateOnly, record[1])
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %q is no day, such as 2026-03-31", name, lineOf(reader), record[1])
		}
		cents, err := toCents(record[2])
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, lineOf(reader), err)
		}
		rows = append(rows, finhook.BankTransactionInput{
			ExternalID: record[0],
			// A bank's day has no time: noon is the same day in most time zones.
			PostedAt:    day.Add(12 * time.Hour),
			AmountCents: cents, Description: &record[3], Currency: &currency, ConnectionID: &connection,
		})
	}
}

func lineOf(reader *csv.Reader) int {
	line, _ := reader.FieldPos(0)
	return line
}

var decimal = regexp.MustCompile(`^(-?\d+)(?:\.(\d{1,2}))?$`)

func toCents(amount string) (int64, error) {
	match := decimal.FindStringSubmatch(amount)
	if match == nil {
		return 0, fmt.Errorf("%q is no amount, such as -125.00", amount)
	}
	return strconv.ParseInt(match[1]+(match[2] + "00")[:2], 10, 64)
}

func warn(warnings []finhook.Warning) {
	for _, warning := range warnings {
		log.Printf("warning: %s", warning.Message)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
