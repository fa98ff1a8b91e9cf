package dev.fakegpu.engine.cel.value;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An IP address without a zone. IPv4-mapped IPv6 addresses are rejected, as in Kubernetes. Upstream:
 * {@code apiserver/pkg/cel/ip.go} and Go's {@code net/netip}.
 */
public final class IpAddress implements OpaqueValue {

    public static final CelType TYPE = OpaqueType.create("net.IP");

    private static final int GROUPS = 8;

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws Failure if the text is not an address */
    public static IpAddress parse(String text) {
        byte[] bytes = text.indexOf(':') >= 0 ? parseGroups(text) : parseQuad(text, text);
        if (isMapped(bytes)) {
            throw new Failure("IPv4-mapped IPv6 address \"" + text + "\" is not allowed");
        }
        return new IpAddress(bytes);
    }

    private static boolean isMapped(byte[] bytes) {
        return bytes.length == 16
                && Arrays.equals(Arrays.copyOf(bytes, 12), new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1});
    }

    private static Failure invalid(String text) {
        return new Failure("IP Address \"" + text + "\" parse error during conversion from string");
    }

    private static byte[] parseQuad(String quad, String text) {
        String[] parts = quad.split("\\.", -1);
        if (parts.length != 4) {
            throw invalid(text);
        }
        var bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            if (!parts[i].matches("0|[1-9]\\d{0,2}") || Integer.parseInt(parts[i]) > 255) {
                throw invalid(text);
            }
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return bytes;
    }

    private static byte[] parseGroups(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            List<Integer> all = groups(text, text);
            if (all.size() != GROUPS) {
                throw invalid(text);
            }
            return joined(all, List.of());
        }
        List<Integer> front = groups(text.substring(0, gap), text);
        List<Integer> back = groups(text.substring(gap + 2), text);
        if (front.size() + back.size() >= GROUPS) {
            throw invalid(text);
        }
        return joined(front, back);
    }

    private static List<Integer> groups(String part, String text) {
        var groups = new ArrayList<Integer>();
        if (part.isEmpty()) {
            return groups;
        }
        String[] pieces = part.split(":", -1);
        for (int i = 0; i < pieces.length; i++) {
            if (i == pieces.length - 1 && pieces[i].indexOf('.') >= 0 && text.endsWith(pieces[i])) {
                byte[] quad = parseQuad(pieces[i], text);
                groups.add((quad[0] & 0xff) << 8 | quad[1] & 0xff);
                groups.add((quad[2] & 0xff) << 8 | quad[3] & 0xff);
            } else if (pieces[i].matches("[0-9a-fA-F]{1,4}")) {
                groups.add(Integer.parseInt(pieces[i], 16));
            } else {
                throw invalid(text);
            }
        }
        return groups;
    }

    /** Joins the groups before and after {@code ::} with zeros between them. */
    private static byte[] joined(List<Integer> front, List<Integer> back) {
        int missing = GROUPS - front.size() - back.size();
        var bytes = new byte[2 * GROUPS];
        for (int i = 0; i < front.size(); i++) {
            put(bytes, i, front.get(i));
        }
        for (int i = 0; i < back.size(); i++) {
            put(bytes, front.size() + missing + i, back.get(i));
        }
        return bytes;
    }

    private static void put(byte[] bytes, int group, int value) {
        bytes[2 * group] = (byte) (value >> 8);
        bytes[2 * group + 1] = (byte) value;
    }

    int bits() {
        return 8 * bytes.length;
    }

    public long family() {
        return bytes.length == 4 ? 4 : 6;
    }

    /** The same address with all bits after the prefix cleared. */
    public IpAddress masked(int prefix) {
        byte[] result = bytes.clone();
        for (int i = 0; i < result.length; i++) {
            int kept = Math.max(0, Math.min(8, prefix - 8 * i));
            result[i] &= (byte) (0xff00 >> kept);
        }
        return new IpAddress(result);
    }

    public boolean isUnspecified() {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    public boolean isLoopback() {
        return bytes.length == 4 ? bytes[0] == 127 : equals(IpAddress.parse("::1"));
    }

    public boolean isLinkLocalUnicast() {
        return bytes.length == 4
                ? unsigned(0) == 169 && unsigned(1) == 254
                : unsigned(0) == 0xfe && (unsigned(1) & 0xc0) == 0x80;
    }

    public boolean isLinkLocalMulticast() {
        return bytes.length == 4
                ? unsigned(0) == 224 && bytes[1] == 0 && bytes[2] == 0
                : unsigned(0) == 0xff && (unsigned(1) & 0x0f) == 0x02;
    }

    /** As in Go, private addresses count as global unicast. */
    public boolean isGlobalUnicast() {
        boolean multicast = bytes.length == 4 ? (unsigned(0) & 0xf0) == 0xe0 : unsigned(0) == 0xff;
        boolean broadcast = bytes.length == 4 && Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
        return !multicast && !broadcast && !isUnspecified() && !isLoopback() && !isLinkLocalUnicast();
    }

    private int unsigned(int index) {
        return bytes[index] & 0xff;
    }

    @Override
    public CelType type() {
        return TYPE;
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The canonical form: lower case, with the longest run of zeros omitted (RFC 5952). */
    @Override
    public String toString() {
        if (bytes.length == 4) {
            return unsigned(0) + "." + unsigned(1) + "." + unsigned(2) + "." + unsigned(3);
        }
        int gapStart = -1;
        int gapLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int zeros = zerosFrom(i);
            if (zeros > gapLength) {
                gapStart = i;
                gapLength = zeros;
            }
        }
        return gapStart < 0 ? groups(0, GROUPS) : groups(0, gapStart) + "::" + groups(gapStart + gapLength, GROUPS);
    }

    private int zerosFrom(int group) {
        int count = 0;
        while (group + count < GROUPS && group(group + count) == 0) {
            count++;
        }
        return count;
    }

    private int group(int index) {
        return unsigned(2 * index) << 8 | unsigned(2 * index + 1);
    }

    private String groups(int from, int to) {
        var result = new StringBuilder();
        for (int i = from; i < to; i++) {
            result.append(i == from ? "" : ":").append(Integer.toHexString(group(i)));
        }
        return result.toString();
    }
}
