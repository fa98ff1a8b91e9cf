package dev.fakegpu.dashboard.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host names that a server accepts. On a local address, it accepts only local names. Otherwise, another site could make its own name
 * resolve to this machine, and read the page through the browsers of its visitors (DNS rebinding).
 */
final class AllowedHosts {

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]]+)(?::\\d{1,5})?");
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean isLocal;

    AllowedHosts(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        isLocal = ip != null && ip.isLoopbackAddress();
    }

    /** @param header the {@code Host} header of a request; null if it has none */
    boolean allow(@Nullable String header) {
        if (!isLocal) {
            return true;
        }
        Matcher host = HOST.matcher(header == null ? "" : header);
        return host.matches() && LOCAL.contains(host.group(1));
    }
}
