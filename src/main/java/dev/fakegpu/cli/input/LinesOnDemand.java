package dev.fakegpu.cli.input;

import dev.fakegpu.cluster.check.FieldLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The lines of the documents of a file. They take several times the memory of its objects, so the file is read again when the first line is
 * needed. Not thread-safe.
 */
final class LinesOnDemand {

    private final Path file;
    private int count;
    private @Nullable List<Node> documents;

    LinesOnDemand(Path file) {
        this.file = file;
    }

    /** The lines of the next document. */
    FieldLines next() {
        int index = count++;
        return path -> {
            List<Node> all = documents();
            return index < all.size() ? new YamlLines(all.get(index)).line(path) : 0;
        };
    }

    private List<Node> documents() {
        List<Node> known = documents;
        if (known == null) {
            known = read();
            documents = known;
        }
        return known;
    }

    /** Nothing can be read again from a pipe, or from a file that is gone or no longer YAML. */
    private List<Node> read() {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        var nodes = new ArrayList<Node>();
        try (InputStream input = Files.newInputStream(file)) {
            YamlNodes.of(input).forEach(nodes::add);
        } catch (IOException | YamlEngineException e) {
            return List.of();
        }
        return nodes;
    }
}
