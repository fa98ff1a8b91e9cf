package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tables of {@code docs/metrics.md}. */
public final class DocumentedMetrics {

    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (gauge|counter|histogram) \\| ([^|]*)\\|.*");
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    private DocumentedMetrics() {}

    /** The metrics whose names have this prefix. */
    public static Map<String, Scrape.Family> of(String prefix) {
        var families = new TreeMap<String, Scrape.Family>();
        try (var lines = Files.lines(ProjectFiles.resolve("docs/metrics.md"))) {
            lines.map(ROW::matcher).filter(row -> row.matches()).forEach(row -> {
                var labels = CODE.matcher(row.group(3))
                        .results()
                        .map(label -> label.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
                families.put(row.group(1), new Scrape.Family(row.group(2), labels));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        families.keySet().removeIf(name -> !name.startsWith(prefix));
        return families;
    }
}
