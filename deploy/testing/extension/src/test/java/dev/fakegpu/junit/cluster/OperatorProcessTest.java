package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorProcessTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void isStartedAgainWhenItHasLostItsLease() {
        try (var operator = operator("test -e lost && echo again && exec sleep 1000; touch lost;"
                + " echo this operator is no longer the leader and exits; exit 1")) {
            assertThat(Wait.atMost(LIMIT).until(() -> operator.log().endsWith("again\n")))
                    .isTrue();
            assertThat(operator.isAlive()).isTrue();
        }
    }

    @Test
    void isOverWhenItEndsForAnotherReason() {
        try (var operator = operator("echo no; exit 1")) {
            assertThat(Wait.atMost(LIMIT).until(() -> !operator.isAlive())).isTrue();
            assertThat(operator.lastWords()).endsWith("\nno");
        }
    }

    private OperatorProcess operator(String script) {
        return new OperatorProcess(
                TetheredProcess.Command.of(folder, List.of("/bin/sh", "-c", script)), folder.resolve("log"));
    }
}
