package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs separate processes, because an error ends them. */
class FatalErrorsTest {

    @Test
    void anErrorOfAnyThreadEndsTheProcess() throws Exception {
        Process process = start("OutOfMemoryError");

        assertThat(said(process))
                .isEqualTo("fatal error in thread deciding, the process ends: java.lang.OutOfMemoryError: heap\n");
        assertThat(process.exitValue()).isEqualTo(1);
    }

    @Test
    void anExceptionDoesNotEndTheProcess() throws Exception {
        Process process = start("IllegalStateException");

        assertThat(said(process))
                .contains("java.lang.IllegalStateException: a defect")
                .endsWith("goes on\n");
        assertThat(process.exitValue()).isZero();
    }

    private static Process start(String thrown) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Thrower.class.getName(),
                        thrown)
                .redirectErrorStream(true)
                .start();
    }

    private static String said(Process process) throws Exception {
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said;
    }

    /** Stands for the operator in this test. */
    static final class Thrower {

        private Thrower() {}

        public static void main(String... arguments) throws InterruptedException {
            FatalErrors.endProcess();
            var thread = new Thread(
                    () -> {
                        if (arguments[0].equals("OutOfMemoryError")) {
                            throw new OutOfMemoryError("heap");
                        }
                        throw new IllegalStateException("a defect");
                    },
                    "deciding");
            thread.start();
            thread.join();
            System.out.println("goes on");
        }
    }
}
