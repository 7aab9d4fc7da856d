// The receiver verifies webhooks and prints each event once. WEBHOOK_SECRET is the secret of the endpoint, or, during a
// rotation, the old and the new one with a space in between; LISTEN is the address, :4000 by default.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	finhook "github.com/finhook/finhook-go"
)

// The event of 500 transactions is larger than the 1 MiB that is a usual limit.
const maxBytes = 4 << 20

func main() {
	secrets := strings.Fields(os.Getenv("WEBHOOK_SECRET"))
	listener, err := net.Listen("tcp", cmp.Or(os.Getenv("LISTEN"), ":4000"))
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on %s", listener.Addr())
	log.Fatal(http.Serve(listener, receiver(secrets, printEvent)))
}

// receiver stores genuine events. If store returns an error, the response is 500 and the delivery is retried.
func receiver(secrets []string, store func(*finhook.ReceivedEvent) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBytes)) // the raw bytes: a parsed body cannot be verified
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		event, err := finhook.VerifyWebhook(body, r.Header, secrets...)
		var rejected *finhook.WebhookError
		if errors.As(err, &rejected) {
			log.Print(rejected)
			http.Error(w, rejected.Reason, http.StatusBadRequest)
			return
		}
		if err := store(event); err != nil {
			http.Error(w, "not stored", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// Deliveries are at least once. A database would do this with a unique index on the ID.
var seen sync.Map

func printEvent(event *finhook.ReceivedEvent) error {
	if event.Type == "bank.balance.updated" {
		var balance finhook.BankBalanceUpdatedEventData
		if err := json.Unmarshal(event.Data, &balance); err != nil {
			return err
		}
		log.Printf("balance of %s: %d %s", balance.AsOf, balance.BalanceCents, balance.Currency)
	}
	if _, known := seen.LoadOrStore(event.ID, true); !known {
		fmt.Printf("%s %s %s\n", event.Type, event.ID, event.Data)
	}
	return nil
}
