package dev.fakegpu.e2e.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The wall clock of the operators, which can be set forward and back while they run: libfaketime reads its offset from a file, with a delay
 * of at most a second. Monotonic time is not affected, as on a machine whose clock is corrected or that was suspended.
 */
final class SteppedClock {

    private static final Path LIBRARIES = Path.of("/usr/lib");

    /** The library of Debian's package {@code faketime}. */
    private static final String LIBRARY = "libfaketimeMT.so.1";

    private static final List<Duration> OFFSETS = List.of(
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofMillis(-600),
            Duration.ofSeconds(-2),
            Duration.ofSeconds(-90),
            Duration.ofHours(-1),
            Duration.ofSeconds(2),
            Duration.ofHours(1));

    private final Optional<Path> library = library();
    private final Path file;

    SteppedClock() {
        try {
            file = Files.createTempFile(Files.createDirectories(Path.of("target/e2e")), "clock", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        set(Duration.ZERO);
    }

    /** The environment of a process with this clock; empty if libfaketime is not installed. */
    Map<String, String> environment() {
        return library.map(path -> Map.of(
                        "LD_PRELOAD",
                        path.toString(),
                        "FAKETIME_TIMESTAMP_FILE",
                        file.toAbsolutePath().toString(),
                        "FAKETIME_CACHE_DURATION",
                        "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1",
                        // Otherwise waits with a monotonic timeout, which includes all waits of Java, return
                        // immediately.
                        "FAKETIME_FORCE_MONOTONIC_FIX",
                        "0"))
                .orElse(Map.of());
    }

    boolean canStep() {
        return library.isPresent();
    }

    /** Sets the clock to another offset from the true time. */
    void step(Random random) {
        set(OFFSETS.get(random.nextInt(OFFSETS.size())));
    }

    private void set(Duration offset) {
        try {
            Files.writeString(file, String.format(Locale.ROOT, "%+.3f", offset.toMillis() / 1000.0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Path> library() {
        try (var files = Files.find(LIBRARIES, 4, (path, attributes) -> path.endsWith(LIBRARY))) {
            return files.findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
