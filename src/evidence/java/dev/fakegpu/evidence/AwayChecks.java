package dev.fakegpu.evidence;

import dev.fakegpu.evidence.Check.Topic;
import java.time.Duration;

/** Tests what KEP-5963 says about an API server or etcd that is unavailable for a while, with the feature on. */
final class AwayChecks {

    private static final Duration AWAY = Duration.ofSeconds(15);

    private final Lab lab;
    private final Findings findings;

    AwayChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    void run() {
        away("away-apiserver", "kube-apiserver is killed, and started again", () -> lab.withoutApiServer(AWAY));
        away("away-etcd", "etcd is stopped (SIGSTOP), and continued", () -> lab.withoutEtcd(AWAY));
    }

    private void away(String id, String what, Runnable away) {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        experiment.pod("mig", "mig");
        experiment.pod("vgpu", "vgpu");
        away.run();
        experiment.note("%s after %d s".formatted(what, AWAY.toSeconds()));
        experiment.settle();
        experiment.pod("mig-later", "mig");
        experiment.pod("vgpu-later", "vgpu");
        findings.add(experiment.check(
                id,
                Topic.AWAY,
                "PRR, Troubleshooting",
                "If the API server or etcd is unavailable, there are no new side effects; here " + what + " after "
                        + AWAY.toSeconds() + " s.",
                "mig allocated, vgpu waits, mig-later allocated, vgpu-later waits; kube-scheduler runs",
                experiment.outcomes("mig", "vgpu", "mig-later", "vgpu-later")
                        + (lab.schedulerRuns() ? "; kube-scheduler runs" : "; kube-scheduler has ended")));
    }
}
