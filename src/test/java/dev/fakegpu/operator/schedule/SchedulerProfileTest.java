package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerProfileTest {

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "99, 99", "100, 100", "300, 144", "1000, 420", "5000, 500", "20000, 1000"})
    void kubeSchedulerLooksForAPartOfManyNodes(int all, int found) {
        assertThat(SchedulerProfile.KUBE_SCHEDULER.nodesToFind(all)).isEqualTo(found);
        assertThat(SchedulerProfile.COMPANION.nodesToFind(all)).isEqualTo(1);
    }
}
