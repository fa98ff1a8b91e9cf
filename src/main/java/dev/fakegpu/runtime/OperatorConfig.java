package dev.fakegpu.runtime;

import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.GroupsGate;
import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.publish.SchedulerGate;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Settings of the operator; each can be given as an environment variable, for example {@code FAKEGPU_COMPANION_GATE=Unaware}. */
@ConfigMapping(prefix = "fakegpu")
public interface OperatorConfig {

    /** The operator's namespace: there are its Lease and the ConfigMap {@code fakegpu-operator}. */
    @WithDefault("fakegpu-system")
    String namespace();

    /** Who this operator is among those that want to be the leader; the name of its pod in a cluster. */
    @WithDefault("${quarkus.uuid}")
    String identity();

    Companion companion();

    Catalog catalog();

    CompatibilityGroups compatibilityGroups();

    KubeScheduler kubeScheduler();

    /** Settings of the catalog of GPU models. */
    interface Catalog {

        /** The namespace whose ConfigMaps with the label {@code fakegpu.dev/catalog=true} add models: the operator's own. */
        @WithDefault("fakegpu-system")
        String namespace();
    }

    /** How compatibility groups are published. */
    interface CompatibilityGroups {

        /** What {@code spec.compatibilityGroups.publish} is where a FakeGpu does not say it. */
        @WithDefault("Auto")
        Publish publish();
    }

    /** What is known of kube-scheduler. */
    interface KubeScheduler {

        /** Its feature gate {@code DRADeviceCompatibilityGroups}, where that is known without looking. */
        Optional<SchedulerGate> compatibilityGroups();

        /**
         * Its metrics, such as {@code https://127.0.0.1:10259/metrics}, to read the gate from. They are asked for with the operator's
         * own credentials, which need {@code get} on the non-resource URL {@code /metrics}.
         */
        Optional<URI> metricsUrl();

        /** A file with the certificate authority of that URL, if it is another one than the API server's. */
        Optional<Path> metricsCaFile();
    }

    /** Settings of the companion. */
    interface Companion {

        /**
         * How compatibility groups are treated: {@code On} enforces them, {@code Off} behaves as a 1.37 scheduler with the gate
         * off, {@code Unaware} as an older scheduler, so that preparation must fail.
         */
        @WithDefault("On")
        GroupsGate gate();

        /**
         * Whose groups count for a device that is allocated: {@code Snapshot} those recorded at allocation (KEP-5963), {@code
         * Live} those in the slices now (Kubernetes 1.37).
         */
        @WithDefault("Snapshot")
        GroupPolicy groupPolicy();

        /** How long the binding conditions of devices are waited for (KEP-5007), as kube-scheduler's {@code bindingTimeout}. */
        @WithDefault("600s")
        Duration bindingTimeout();

        /** How many decisions are written at a time. */
        @WithDefault("16")
        int writers();

        /**
         * Kubernetes' feature gates as the companion is to see them, for example {@code DRAConsumableCapacity: false}: what is off it
         * treats as a scheduler does whose gate is off. All are on unless named here.
         */
        Map<String, Boolean> featureGates();
    }
}
