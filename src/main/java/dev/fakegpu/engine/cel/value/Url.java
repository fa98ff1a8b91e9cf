package dev.fakegpu.engine.cel.value;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL as Go's {@code net/url} parses it. The rules differ slightly from RFC 3986 and from {@link java.net.URI}.
 *
 * @param host the host, with the port if there is one
 * @param rawPath the path as written, before decoding
 */
public record Url(String scheme, String userInfo, String host, String rawPath, String rawQuery, String fragment)
        implements OpaqueValue {

    public static final CelType TYPE = OpaqueType.create("kubernetes.URL");

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)", Pattern.DOTALL);
    private static final Pattern PORT = Pattern.compile(":\\d*");
    private static final HexFormat HEXADECIMAL = HexFormat.of().withUpperCase();
    private static final String HOST_CHARACTERS = "-_.~!$&'()*+,;=:[]<>\"";
    private static final String PATH_CHARACTERS = "-_.~!$&'()*+,;=:@[]/%";
    private static final String UNESCAPED_IN_PATH = "-_.~$&+,/:;=@";
    private static final String USER_CHARACTERS = "-._:~!$&'()*+,;=%@";

    /** @throws Failure if the text is neither an absolute URL nor an absolute path */
    public static Url parse(String text) {
        parseRequest(text);
        int hash = text.indexOf('#');
        Url url = parseRequest(hash < 0 ? text : text.substring(0, hash));
        String fragment = hash < 0 ? "" : text.substring(hash + 1);
        unescape(fragment);
        return new Url(url.scheme, url.userInfo, url.host, url.rawPath, url.rawQuery, fragment);
    }

    public static boolean isRequestUri(String text) {
        try {
            parseRequest(text);
            return true;
        } catch (Failure e) {
            return false;
        }
    }

    private static Failure invalid(String reason) {
        return new Failure("URL parse error during conversion from string: " + reason);
    }

    private static Url parseRequest(String text) {
        Steps.parse(text);
        if (text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw invalid("empty, or with control characters");
        }
        if (text.startsWith(":")) {
            throw invalid("missing protocol scheme");
        }
        Matcher scheme = SCHEME.matcher(text);
        boolean hasScheme = scheme.matches();
        String rest = hasScheme ? scheme.group(2) : text;
        int queryStart = rest.indexOf('?');
        String query = queryStart < 0 ? "" : rest.substring(queryStart + 1);
        String beforeQuery = queryStart < 0 ? rest : rest.substring(0, queryStart);
        String name = hasScheme ? scheme.group(1).toLowerCase(Locale.ROOT) : "";
        if (!beforeQuery.startsWith("/")) {
            return withoutPath(name, text, query);
        }
        return hasScheme && beforeQuery.startsWith("//")
                ? withAuthority(name, beforeQuery.substring(2), query)
                : of(name, "", "", beforeQuery, query);
    }

    /** A URL that has no leading slash after the scheme, such as {@code mailto:x} or {@code *}. */
    private static Url withoutPath(String scheme, String text, String query) {
        if (scheme.isEmpty() && !text.equals("*")) {
            throw invalid("invalid URI for request");
        }
        return new Url(scheme, "", "", scheme.isEmpty() ? "*" : "", query, "");
    }

    private static Url withAuthority(String scheme, String rest, String query) {
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        int at = authority.lastIndexOf('@');
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        if (!consistsOf(userInfo, USER_CHARACTERS)) {
            throw invalid("invalid userinfo");
        }
        unescape(userInfo);
        return of(scheme, userInfo, host(authority.substring(at + 1)), slash < 0 ? "" : rest.substring(slash), query);
    }

    private static Url of(String scheme, String userInfo, String host, String path, String query) {
        unescape(path);
        return new Url(scheme, userInfo, host, path, query, "");
    }

    private static String host(String text) {
        int end = text.startsWith("[") ? text.lastIndexOf(']') : text.lastIndexOf(':') - 1;
        if (text.startsWith("[") && end < 0) {
            throw invalid("missing ']' in host");
        }
        String port = end < -1 ? "" : text.substring(end + 1);
        boolean hasPort = text.startsWith("[") ? !port.isEmpty() : text.indexOf(':') >= 0;
        if (hasPort && !PORT.matcher(port).matches()) {
            throw invalid("invalid port after host");
        }
        if (!consistsOf(text.replaceAll("%[89A-Fa-f][0-9A-Fa-f]|%25", ""), HOST_CHARACTERS)) {
            throw invalid("invalid character in host name");
        }
        return unescape(text);
    }

    private static boolean consistsOf(String text, String allowed) {
        return text.chars().allMatch(c -> isAlphanumeric(c) || c >= 0x80 || allowed.indexOf(c) >= 0);
    }

    private static boolean isAlphanumeric(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static String unescapeQuery(String text) {
        return unescape(text.replace('+', ' '));
    }

    private static String unescape(String text) {
        Steps.parse(text);
        var bytes = new ByteArrayOutputStream();
        byte[] input = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < input.length; i++) {
            if (input[i] == '%') {
                bytes.write(hexadecimal(input, i + 1) << 4 | hexadecimal(input, i + 2));
                i += 2;
            } else {
                bytes.write(input[i]);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static int hexadecimal(byte[] text, int index) {
        int digit = index < text.length ? Character.digit(text[index], 16) : -1;
        if (digit < 0) {
            throw invalid("invalid URL escape");
        }
        return digit;
    }

    public String hostname() {
        Steps.text(host.length());
        if (host.startsWith("[")) {
            return host.substring(1, Math.max(1, host.indexOf(']')));
        }
        int colon = host.lastIndexOf(':');
        return colon < 0 ? host : host.substring(0, colon);
    }

    public String port() {
        Steps.text(host.length());
        int colon = host.lastIndexOf(':');
        return colon < 0 || host.indexOf(']') > colon ? "" : host.substring(colon + 1);
    }

    /** The path as written if that is a valid encoding of it; otherwise the path as Go encodes it. */
    public String escapedPath() {
        Steps.parse(rawPath);
        boolean valid = rawPath.chars().allMatch(c -> isAlphanumeric(c) || PATH_CHARACTERS.indexOf(c) >= 0);
        return valid || rawPath.equals("*") ? rawPath : escape(unescape(rawPath));
    }

    private static String escape(String path) {
        Steps.parse(path);
        var result = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xff;
            if (isAlphanumeric(c) || UNESCAPED_IN_PATH.indexOf(c) >= 0) {
                result.append((char) c);
            } else {
                result.append('%').append(HEXADECIMAL.toHexDigits(b));
            }
        }
        return result.toString();
    }

    /** The values of the query by name. Pairs that cannot be decoded are omitted. */
    public Map<String, List<String>> query() {
        Steps.parse(rawQuery);
        var result = new LinkedHashMap<String, List<String>>();
        for (String pair : rawQuery.split("&", -1)) {
            if (pair.isEmpty() || pair.indexOf(';') >= 0) {
                continue;
            }
            int equals = pair.indexOf('=');
            try {
                String name = unescapeQuery(equals < 0 ? pair : pair.substring(0, equals));
                String value = unescapeQuery(equals < 0 ? "" : pair.substring(equals + 1));
                result.computeIfAbsent(name, ignored -> new ArrayList<>()).add(value);
            } catch (Failure e) {
                continue;
            }
        }
        return result;
    }

    @Override
    public CelType type() {
        return TYPE;
    }
}
