package dev.fakegpu.operator.prepare.smi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Reads tables from the resources of this package. */
final class SmiTable {

    private SmiTable() {}

    /** The lines of a table without comments. */
    static List<String> lines(String name) {
        try (InputStream table = SmiTable.class.getResourceAsStream(name)) {
            byte[] text =
                    Objects.requireNonNull(table, () -> "the jar lacks " + name).readAllBytes();
            return new String(text, UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
