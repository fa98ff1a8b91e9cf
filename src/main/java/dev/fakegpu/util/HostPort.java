package dev.fakegpu.util;

/** Formats the host and port of a URL (RFC 3986): IPv6 addresses contain colons, so they are put in brackets. */
public final class HostPort {

    private HostPort() {}

    /** @param host a name or an address, with or without brackets */
    public static String of(String host, int port) {
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }
}
