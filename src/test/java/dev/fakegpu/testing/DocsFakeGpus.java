package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The FakeGpus that the pages of the documentation show as YAML: whole ones, and those of which only {@code spec} is shown, with nodes. */
public final class DocsFakeGpus {

    private static final Pattern BLOCK = Pattern.compile("^```yaml\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final String HEAD = "apiVersion: fakegpu.dev/v1alpha1\nkind: FakeGpu\nmetadata: {name: shown}\n";
    private static final String NODES = "  nodes: {simulated: {count: 1}}\n";

    private DocsFakeGpus() {}

    /**
     * A FakeGpu of a page.
     *
     * @param where page and number of the block
     */
    public record Shown(String where, String yaml) {}

    /** In the order of the pages. */
    public static List<Shown> all() {
        return pages().flatMap(DocsFakeGpus::of).toList();
    }

    private static Stream<Path> pages() {
        try (Stream<Path> files = Files.walk(ProjectFiles.resolve("docs"))) {
            return Stream.concat(
                    Stream.of(ProjectFiles.resolve("README.md")),
                    files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Shown> of(Path page) {
        try {
            var blocks = BLOCK.matcher(Files.readString(page)).results().toList();
            return Stream.iterate(0, index -> index < blocks.size(), index -> index + 1)
                    .flatMap(index -> Stream.of(blocks.get(index).group(1).split("(?m)^---\n"))
                            .flatMap(DocsFakeGpus::whole)
                            .map(yaml -> new Shown("%s, block %d".formatted(page.getFileName(), index + 1), yaml)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> whole(String document) {
        if (document.contains("kind: FakeGpu\n")) {
            return Stream.of(document);
        }
        if (!document.startsWith("spec:\n")) {
            return Stream.of();
        }
        return Stream.of(HEAD + document + (document.contains("\n  nodes:") ? "" : NODES));
    }
}
