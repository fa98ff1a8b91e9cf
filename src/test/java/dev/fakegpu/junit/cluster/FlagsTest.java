package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that {@code hack/control-plane} and the library for tests of other projects start the same control plane, except for paths,
 * addresses and ports.
 */
class FlagsTest {

    private static final String ANY = "$";
    private static final ControlPlaneSettings SETTINGS = new ControlPlaneSettings("v1.37.1", ANY, ANY, "", true, true);

    private static final Pattern FLAG = Pattern.compile("--([a-z-]+)(?: +(?!-)(\\S+))?");
    private static final List<String> PLACES =
            List.of("--etcd-servers=", "--bind-address=", "--advertise-address=", "--secure-port=");

    @Test
    void theApiServerHasTheFlagsOfTheScript() {
        String command = part("start kube-apiserver .*?[^\\\\]\\n").replaceAll("\\$\\{.*?}|\\\\\\n", "");
        Stream<String> flags = FLAG.matcher(command)
                .results()
                .map(flag -> "--" + flag.group(1) + (flag.group(2) == null ? "" : "=" + value(flag.group(2))));

        assertThat(Flags.apiServer(SETTINGS, ANY, ANY, ANY))
                .containsExactlyInAnyOrderElementsOf(
                        flags.filter(flag -> PLACES.stream().noneMatch(flag::startsWith))
                                .toList());
    }

    private static String value(String word) {
        return word.startsWith("\"$") ? ANY : word;
    }

    @Test
    void theControllerManagerRunsTheControllersOfTheScript() {
        String controllers =
                part("(?<=\\nCONTROLLERS=\\().*?(?=\\n\\))").strip().replaceAll("\\s+", ",");

        assertThat(Flags.controllerManager(SETTINGS, ANY, ANY)).contains("--controllers=" + controllers);
    }

    private static String part(String pattern) {
        Matcher found = Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(ProjectFiles.read(ProjectFiles.resolve("hack/control-plane")));
        assertThat(found.find()).as(pattern).isTrue();
        return found.group();
    }
}
