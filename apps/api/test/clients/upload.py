"""Arguments: METHOD URL AUTHORIZATION FILE CONTENT_TYPE ENCODING LENGTH_KNOWN, for each upload. Prints the statuses of ten attempts."""

import http.client
import pathlib
import sys
import urllib.parse


def upload(method, url, authorization, file, content_type, encoding, length_known):
    body = pathlib.Path(file).read_bytes()
    target = urllib.parse.urlsplit(url)
    headers = {"Authorization": authorization, "Content-Type": content_type, "Content-Encoding": encoding}
    connection = http.client.HTTPConnection(target.netloc, timeout=20)
    try:
        connection.request(method, target.path, body if length_known == "true" else iter([body]), headers)
        response = connection.getresponse()
        response.read()
        return response.status
    except OSError as error:
        return repr(error)
    finally:
        connection.close()


for start in range(1, len(sys.argv), 7):
    for _ in range(10):
        print(upload(*sys.argv[start : start + 7]))
