package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.engine.cel.value.Url;

/** {@code url("https://x")} and its functions. Upstream: {@code apiserver/pkg/cel/library/urls.go}. */
final class UrlLibrary extends FunctionLibrary {

    private static final CelType TYPE = Url.TYPE;

    UrlLibrary() {
        global("url", "string_to_url", TYPE, SimpleType.STRING, Url::parse);
        global("isURL", "is_url_string", SimpleType.BOOL, SimpleType.STRING, Url::isRequestUri);
        member("getScheme", "url_get_scheme", SimpleType.STRING, TYPE, Url::scheme);
        member("getHost", "url_get_host", SimpleType.STRING, TYPE, Url::host);
        member("getHostname", "url_get_hostname", SimpleType.STRING, TYPE, Url::hostname);
        member("getPort", "url_get_port", SimpleType.STRING, TYPE, Url::port);
        member("getEscapedPath", "url_get_escaped_path", SimpleType.STRING, TYPE, Url::escapedPath);
        member(
                "getQuery",
                "url_get_query",
                MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)),
                TYPE,
                Url::query);
    }
}
