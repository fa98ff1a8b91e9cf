package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.runtime.OperatorConfig;
import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class OperatorCommandTest {

    /** Environment variables set everything except feature gates, whose names have lowercase letters. */
    @Test
    void theHelpNamesEveryVariableWithItsDefault() {
        String help = String.join(
                "\n",
                OperatorCommand.class.getAnnotation(CommandLine.Command.class).footer());

        assertThat(settings(OperatorConfig.class, "FAKEGPU").toList())
                .contains("FAKEGPU_PARTS (Publisher,Companion,Explainer,SimulatedKubelet)")
                .allSatisfy(setting -> assertThat(help).contains(setting));
    }

    private static Stream<String> settings(Class<?> config, String prefix) {
        return Stream.of(config.getDeclaredMethods()).flatMap(method -> {
            String name =
                    prefix + "_" + method.getName().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
            var known = Optional.ofNullable(method.getAnnotation(WithDefault.class))
                    .map(WithDefault::value)
                    .map(value -> value.startsWith("${") ? "random" : value);
            if (method.getReturnType().getEnclosingClass() == OperatorConfig.class) {
                return settings(method.getReturnType(), name);
            }
            return method.getReturnType() == Map.class
                    ? Stream.empty()
                    : Stream.of(name + known.map(value -> " (" + value + ")").orElse(""));
        });
    }

    @Test
    void aPortInUseIsReportedWithTheSettingThatHelps() throws IOException {
        int port;
        try (var other = new ServerSocket(0)) {
            port = other.getLocalPort();
            assertThat(OperatorCommand.portInUse(port))
                    .hasValueSatisfying(problem -> assertThat(problem)
                            .contains("port " + port, "QUARKUS_HTTP_PORT")
                            .doesNotContain("kill"));
        }
        assertThat(OperatorCommand.portInUse(port)).isEmpty();
        assertThat(OperatorCommand.portInUse(0)).as("any that is free").isEmpty();
    }
}
