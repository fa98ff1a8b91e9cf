package dev.fakegpu.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the page about gangs. Only {@code hack/evidence --only gangs} shows what kube-scheduler did. */
class GangReportTest {

    static List<GangRow> rows() {
        return GangRow.all();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void pageHasTheResultsOfTheCompanion(GangRow row) throws IOException {
        assertThat(page().lines().filter(line -> line.startsWith(GangReport.cell(row))))
                .singleElement()
                .asString()
                .endsWith("| " + GangChecks.companion(row) + " |");
    }

    @Test
    void pageHasTheObjectsOfEachRow() throws IOException {
        String page = page();
        assertThat(rows()).allSatisfy(row -> assertThat(page).contains(GangReport.objects(row)));
    }

    private static String page() throws IOException {
        return Files.readString(ProjectFiles.resolve("docs/evidence/gangs-v1.37.md"));
    }
}
