package dev.fakegpu.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes the class path of the tests to the file {@code -Dclasspath.file}, for programs that {@code hack/bench} starts. */
@Tag("manual")
class ClassPathFile {

    @Test
    void isWritten() throws IOException {
        Path file = Path.of(System.getProperty("classpath.file", "target/bench-classpath"));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, System.getProperty("java.class.path"));
    }
}
