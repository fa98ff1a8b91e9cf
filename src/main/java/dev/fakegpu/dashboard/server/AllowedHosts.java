package dev.fakegpu.dashboard.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names under which a server answers. On a local address it answers under local names only: otherwise another site could have its own
 * name resolved to this machine, and read the page with the browser of whoever visits that site (DNS rebinding).
 */
final class AllowedHosts {

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]]+)(?::\\d{1,5})?");
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean isLocal;

    AllowedHosts(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        isLocal = ip != null && ip.isLoopbackAddress();
    }

    /** @param header of a request; null if it has none */
    boolean allow(@Nullable String header) {
        if (!isLocal) {
            return true;
        }
        Matcher host = HOST.matcher(header == null ? "" : header);
        return host.matches() && LOCAL.contains(host.group(1));
    }
}
