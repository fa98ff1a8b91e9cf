package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.fakegpu.testing.Eventually;
import dev.fakegpu.testing.ProjectFiles;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests read a cluster through {@link Eventually}, because a strong assertion after a weak wait is a race. Classes that do not yet do so
 * are listed in {@code src/test/resources/bare-reads.txt}, which may only become shorter.
 */
class BareReadsTest {

    private static final String FROZEN = "src/test/resources/bare-reads.txt";
    private static final String OBSERVERS =
            "dev\\.fakegpu\\.e2e\\.support\\.(ObservedNamespace|ClusterScenario|FakeGpuFixture|OperatorProcess)";
    private static final Pattern READERS = Pattern.compile(".*(IT|E2E)(\\$.*)?\\.class");
    private static final Set<String> READS_OF_CLIENT = Set.of("get", "list", "require", "raw", "getLog");

    @Test
    void onlyListedClassesReadAClusterWithoutRetry() {
        Set<String> frozen = new TreeSet<>(
                ProjectFiles.read(ProjectFiles.resolve(FROZEN)).lines().toList());

        Set<String> bare = new ClassFileImporter()
                .withImportOption(location -> location.matches(READERS)).importPackages("dev.fakegpu").stream()
                        .filter(BareReadsTest::readsBare)
                        .map(each -> outermost(each).getName())
                        .collect(Collectors.toCollection(TreeSet::new));

        System.out.println("test classes that read a cluster without retry: " + bare.size());
        assertThat(bare).as("assert with Eventually, or shorten " + FROZEN).isEqualTo(frozen);
    }

    private static JavaClass outermost(JavaClass each) {
        return each.getEnclosingClass().map(BareReadsTest::outermost).orElse(each);
    }

    private static boolean readsBare(JavaClass each) {
        return each.getMethodCallsFromSelf().stream().anyMatch(BareReadsTest::isBareRead);
    }

    private static boolean isBareRead(JavaMethodCall call) {
        String owner = call.getTargetOwner().getName();
        String name = ((JavaAccess<?>) call).getTarget().getName();
        if (owner.startsWith("io.fabric8.kubernetes.client.")) {
            return READS_OF_CLIENT.contains(name);
        }
        return owner.matches(OBSERVERS)
                && name.matches(
                        "stored\\w*|find|slices\\w*|simulatedNodes|deviceClasses|events|devices|running|metrics|log|dashboard")
                && !call.getTarget().getRawReturnType().isEquivalentTo(Eventually.class);
    }
}
