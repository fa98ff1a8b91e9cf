package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.mixin.MixinsGate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of problems, each on one line or several. A problem is returned as soon as its last line has been read. After invalid JSON,
 * reading resumes where the next value seems to begin.
 */
public final class ProblemStream {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final MixinsGate mixins;
    private final Lines lines;
    private JsonParser parser;

    /** @param mixins the gate for problems that do not enable mixins */
    public ProblemStream(Reader input, MixinsGate mixins) throws IOException {
        this.mixins = mixins;
        lines = new Lines(new BufferedReader(input));
        parser = JSON.createParser(lines);
    }

    /**
     * The next problem.
     *
     * @return empty at the end of the input
     * @throws UnreadableProblemException if this problem cannot be read; reading can continue with the next one
     */
    public Optional<AllocationProblem> next() throws IOException, UnreadableProblemException {
        Optional<JsonNode> json = nextValue();
        return json.isPresent() ? Optional.of(ProblemReader.read(json.get(), mixins)) : Optional.empty();
    }

    private Optional<JsonNode> nextValue() throws IOException, UnreadableProblemException {
        try {
            return Optional.ofNullable(parser.readValueAsTree());
        } catch (JsonProcessingException e) {
            lines.skipBrokenValue();
            parser = JSON.createParser(lines);
            throw new UnreadableProblemException("", e.getOriginalMessage());
        }
    }

    /** Gives the parser one line at a time, so that it never reads beyond the line at which it fails. */
    private final class Lines extends Reader {

        private final BufferedReader source;
        private @Nullable String line = "";
        private int position;
        private boolean continuesValue;

        Lines(BufferedReader source) {
            this.source = source;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            String current = line;
            if (current != null && position == current.length()) {
                continuesValue = position > 0 && !parser.getParsingContext().inRoot();
                current = nextLine();
            }
            if (current == null) {
                return -1;
            }
            int count = Math.min(length, current.length() - position);
            current.getChars(position, position + count, buffer, offset);
            position += count;
            return count;
        }

        private @Nullable String nextLine() throws IOException {
            String next = source.readLine();
            line = next == null ? null : next + "\n";
            position = 0;
            return line;
        }

        /** Skips the broken line. For a value of several lines, skips everything up to the next line that begins a value. */
        void skipBrokenValue() throws IOException {
            String current = line;
            boolean beginsHere = !continuesValue;
            position = 0;
            if (beginsHere || current == null) {
                line = current == null ? null : "";
                return;
            }
            while (current != null && !current.startsWith("{")) {
                current = nextLine();
            }
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }
}
