import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/** Arguments: METHOD URL AUTHORIZATION FILE CONTENT_TYPE ENCODING LENGTH_KNOWN, for each upload. Prints the statuses of ten attempts. */
public class Upload {
    private static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static void main(String[] args) throws Exception {
        for (int at = 0; at < args.length; at += 7) {
            byte[] body = Files.readAllBytes(Path.of(args[at + 3]));
            var publisher = args[at + 6].equals("true")
                ? BodyPublishers.ofByteArray(body)
                : BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
            HttpRequest request = HttpRequest.newBuilder(URI.create(args[at + 1]))
                .method(args[at], publisher)
                .header("Authorization", args[at + 2])
                .header("Content-Type", args[at + 4])
                .header("Content-Encoding", args[at + 5])
                .build();
            for (int i = 0; i < 10; i++) System.out.println(send(request));
        }
    }

    private static String send(HttpRequest request) throws InterruptedException {
        try {
            return String.valueOf(client.send(request, BodyHandlers.ofString()).statusCode());
        } catch (IOException e) {
            return e.toString();
        }
    }
}
