package dev.fakegpu.dashboard.server;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of the page, from {@code dashboard} on the class path. */
final class PageFiles {

    private static final List<String> NAMES = List.of(
            "index.html",
            "page.css",
            "icon.svg",
            "page.js",
            "feed.js",
            "view.js",
            "filter.js",
            "gpu.js",
            "waiting.js",
            "story.js",
            "tried.js",
            "map.js",
            "place.js",
            "states.js",
            "play.js",
            "format.js",
            "letters.js",
            "lit-html/lit-html.js",
            "lit-html/directive.js",
            "lit-html/directive-helpers.js",
            "lit-html/directives/repeat.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, File> files = new HashMap<>();

    private PageFiles() {}

    /** @param type its media type */
    record File(String type, Buffer content) {}

    static PageFiles read() {
        var page = new PageFiles();
        NAMES.forEach(name -> page.files.put("/" + name, read(name)));
        page.files.put("/", read("index.html"));
        return page;
    }

    private static File read(String name) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
        try (InputStream in = PageFiles.class.getResourceAsStream("/dashboard/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the file dashboard/" + name + " is missing in this build");
            }
            return new File(type, Buffer.buffer(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param path the path of a request */
    Optional<File> get(String path) {
        return Optional.ofNullable(files.get(path));
    }
}
