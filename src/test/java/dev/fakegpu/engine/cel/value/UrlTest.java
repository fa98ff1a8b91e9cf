package dev.fakegpu.engine.cel.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples of {@code k8s.io/apiserver/pkg/cel/library/urls.go}, and the behavior that Go's {@code net/url} documents for {@code
 * ParseRequestURI}.
 */
class UrlTest {

    @ParameterizedTest
    @CsvSource({
        "/path, '', '', '', ''",
        "https://example.com/, https, example.com, example.com, ''",
        "https://example.com:80/, https, example.com:80, example.com, 80",
        "https://example.com:/, https, example.com:, example.com, ''",
        "https://127.0.0.1:80/, https, 127.0.0.1:80, 127.0.0.1, 80",
        "https://[::1]:80/, https, [::1]:80, ::1, 80",
        "https://[::1]/, https, [::1], ::1, ''",
        "https://user:pass@example.com:80/path?query=val#fragment, https, example.com:80, example.com, 80",
        "HTTPS://Example.com/, https, Example.com, Example.com, ''",
        "mailto:someone@example.com, mailto, '', '', ''"
    })
    void hasAnAuthority(String text, String scheme, String host, String hostname, String port) {
        Url url = Url.parse(text);

        assertThat(url.scheme()).isEqualTo(scheme);
        assertThat(url.host()).isEqualTo(host);
        assertThat(url.hostname()).isEqualTo(hostname);
        assertThat(url.port()).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com, ''",
        "https://example.com/path, /path",
        "https://example.com/path with spaces/, /path%20with%20spaces/",
        "https://example.com/a%20b, /a%20b",
        "https://example.com/a%2fb, /a%2fb",
        "/ä, /%C3%A4"
    })
    void thePathIsEscaped(String text, String path) {
        assertThat(Url.parse(text).escapedPath()).isEqualTo(path);
    }

    @Test
    void theQueryIsAListOfValuesForEachName() {
        assertThat(query("k1=a&k2=b&k2=c")).isEqualTo(Map.of("k1", List.of("a"), "k2", List.of("b", "c")));
        assertThat(query("key with spaces=value with spaces"))
                .isEqualTo(Map.of("key with spaces", List.of("value with spaces")));
        assertThat(query("a+b=c%3Dd&e")).isEqualTo(Map.of("a b", List.of("c=d"), "e", List.of("")));
        assertThat(query("")).isEmpty();
        assertThat(Url.parse("https://example.com/path").query()).isEmpty();
    }

    /** {@code Query()} silently discards malformed pairs, such as those with a semicolon. */
    @Test
    void malformedPairsAreLeftOut() {
        assertThat(query("a=1&b;c=2&%zz=3&d=%1")).isEqualTo(Map.of("a", List.of("1")));
    }

    private static Map<String, List<String>> query(String query) {
        return Url.parse("https://example.com/path?" + query).query();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "../relative-path",
                "relative-path",
                "https://a:b:c/",
                "https://example.com:http/",
                "https://[::1/",
                "https://exa mple.com/",
                "https://us er@example.com/",
                "/%zz",
                "/%1",
                "://example.com",
                "/line\nbreak"
            })
    void malformedUrlsAreRefused(String text) {
        assertThat(Url.isRequestUri(text)).isFalse();
        assertThatExceptionOfType(Failure.class)
                .isThrownBy(() -> Url.parse(text))
                .withMessageStartingWith("URL parse error during conversion from string");
    }
}
