import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Answers commands that read a cluster, so that class-list finds out which classes they load: java ExampleApiServer.java KEYSTORE FOLDER.
 * The response for a path is the file in FOLDER with the name of the last part of the path, such as pods.json; without such a file, it is
 * 404. Writes its port to FOLDER/port when it listens. The keystore is PKCS #12 with the password "changeit".
 */
final class ExampleApiServer {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final byte[] NOT_FOUND =
            "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"status\": \"Failure\", \"reason\": \"NotFound\", \"code\": 404}"
                    .getBytes(StandardCharsets.UTF_8);

    private ExampleApiServer() {}

    public static void main(String[] args) throws IOException, GeneralSecurityException {
        Path folder = Path.of(args[1]);
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls(Path.of(args[0]))));
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> answer(exchange, folder));
        server.start();
        Path port = folder.resolve("port.new");
        Files.writeString(port, String.valueOf(server.getAddress().getPort()));
        Files.move(port, folder.resolve("port"));
    }

    private static SSLContext tls(Path keystore) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            keys.load(in, PASSWORD);
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static void answer(HttpExchange exchange, Path folder) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Path file = folder.resolve(path.substring(path.lastIndexOf('/') + 1) + ".json");
        boolean isKnown = Files.exists(file);
        byte[] body = compressed(isKnown ? Files.readAllBytes(file) : NOT_FOUND);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        exchange.sendResponseHeaders(isKnown ? 200 : 404, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static byte[] compressed(byte[] body) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
