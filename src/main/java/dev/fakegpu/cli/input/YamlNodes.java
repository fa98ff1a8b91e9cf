package dev.fakegpu.cli.input;

import java.io.InputStream;
import java.util.Iterator;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.YamlUnicodeReader;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads YAML 1.1, which is what kubectl reads, into nodes: one for each document. */
final class YamlNodes {

    /**
     * The highest number of objects and lists in each other, with and without aliases; more would need too much of a thread's stack. The
     * API server reads 10,000.
     */
    static final int MAX_DEPTH = 500;

    static final String TOO_DEEP = "there are more than " + MAX_DEPTH + " objects and lists in each other";

    /** Neither the size is limited, since the slices of a large cluster are long, nor the aliases, which {@link YamlDocument} counts. */
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(YamlDocument.SCHEMA)
            .setCodePointLimit(Integer.MAX_VALUE)
            .setMaxAliasesForCollections(Integer.MAX_VALUE)
            .build();

    private YamlNodes() {}

    static Iterable<Node> of(InputStream input) {
        return () -> documents(input);
    }

    private static Iterator<Node> documents(InputStream input) {
        return new Composer(SETTINGS, new LimitedParser(new StreamReader(SETTINGS, new YamlUnicodeReader(input))));
    }

    private static final class LimitedParser extends ParserImpl {
        private int depth;

        LimitedParser(StreamReader reader) {
            super(SETTINGS, reader);
        }

        @Override
        public Event next() {
            Event event = super.next();
            switch (event.getEventId()) {
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                default -> {}
            }
            if (depth > MAX_DEPTH) {
                throw new ParserException("", Optional.empty(), TOO_DEEP, event.getStartMark());
            }
            return event;
        }
    }
}
