// Verifies x-service-signature. Each line of the input has four fields, separated by tabs:
// current unix time, secret, value of the header, path of a file with the raw body. Prints valid or invalid.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func after(part string) string {
	_, value, _ := strings.Cut(part, "=")
	return value
}

func verify(now float64, secret, header string, body []byte) bool {
	first, second, _ := strings.Cut(header, ",")
	t, signature := after(first), after(second)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	seconds, err := strconv.ParseInt(t, 10, 64)
	expected := hex.EncodeToString(mac.Sum(nil))
	return err == nil && hmac.Equal([]byte(expected), []byte(signature)) && now-float64(seconds) <= 300
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		field := strings.Split(lines.Text(), "\t")
		now, err := strconv.ParseFloat(field[0], 64)
		if err != nil {
			panic(err)
		}
		body, err := os.ReadFile(field[3])
		if err != nil {
			panic(err)
		}
		if verify(now, field[1], field[2], body) {
			fmt.Println("valid")
		} else {
			fmt.Println("invalid")
		}
	}
}
