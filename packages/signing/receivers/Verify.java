// Verifies x-service-signature. Each line of the input has four fields, separated by tabs:
// current unix time, secret, value of the header, path of a file with the raw body. Prints valid or invalid.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
  static boolean verify(double now, String secret, String header, byte[] body) throws Exception {
    String[] parts = header.split(",");
    String t = parts[0].substring(parts[0].indexOf('=') + 1);
    String signature = parts[1].substring(parts[1].indexOf('=') + 1);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
    StringBuilder expected = new StringBuilder();
    for (byte b : mac.doFinal(body)) expected.append(String.format("%02x", b));
    byte[] given = signature.getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(expected.toString().getBytes(StandardCharsets.UTF_8), given)
        && now - Long.parseLong(t) <= 300;
  }

  public static void main(String[] args) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] field = line.split("\t");
      byte[] body = Files.readAllBytes(Path.of(field[3]));
      System.out.println(verify(Double.parseDouble(field[0]), field[1], field[2], body) ? "valid" : "invalid");
    }
  }
}
