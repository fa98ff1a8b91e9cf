package dev.fakegpu.dashboard.server;

import io.vertx.core.http.HttpServerResponse;
import java.util.Map;

/** Headers that restrict the page in browsers: no external content, nothing inline, no frames, no referrer. */
final class SecurityHeaders {

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
                    + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Permissions-Policy",
            "camera=(), geolocation=(), microphone=()",
            "Cache-Control",
            "no-store");

    private SecurityHeaders() {}

    static void set(HttpServerResponse response) {
        HEADERS.forEach(response::putHeader);
    }
}
