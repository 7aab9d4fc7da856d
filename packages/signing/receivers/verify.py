# Verifies x-service-signature. Each line of the input has four fields, separated by tabs:
# current unix time, secret, value of the header, path of a file with the raw body. Prints valid or invalid.
import hashlib
import hmac
import sys


def verify(now, secret, header, body):
    t, signature = (part.split("=", 1)[1] for part in header.split(","))
    expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature) and now - int(t) <= 300


for line in sys.stdin:
    now, secret, header, path = line.rstrip("\n").split("\t")
    with open(path, "rb") as file:
        print("valid" if verify(float(now), secret, header, file.read()) else "invalid")
