package dev.fakegpu.runtime;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Settings of the operator; each can be given as an environment variable, for example {@code FAKEGPU_COMPANION_GATE=Unaware}. */
@ConfigMapping(prefix = "fakegpu")
public interface OperatorConfig {

    /** The operator's namespace, which contains its Lease and the ConfigMap {@code fakegpu-operator}. */
    @WithDefault("fakegpu-system")
    String namespace();

    /** The identity in the leader election, unique for each replica; in a cluster, the name of its pod. */
    @WithDefault("${quarkus.uuid}")
    String identity();

    /**
     * The parts of the operator that this process runs; by default all. Each part needs its own ClusterRole. Operators with different parts
     * need different namespaces, since each namespace has only one leader.
     */
    @WithDefault("Publisher,Companion,Explainer,SimulatedKubelet")
    Set<Part> parts();

    Companion companion();

    Catalog catalog();

    CompatibilityGroups compatibilityGroups();

    ForeignSlices foreignSlices();

    KubeScheduler kubeScheduler();

    Explanations explanations();

    Dashboard dashboard();

    /** A part of the operator that can run without the others. */
    enum Part {
        /** Publishes the devices of FakeGpus as ResourceSlices, with DeviceClasses and simulated nodes. */
        Publisher,
        /** Allocates claims and binds pods. */
        Companion,
        /** Explains in events why pods and claims get no devices. */
        Explainer,
        /** Keeps simulated nodes Ready and runs their pods. */
        SimulatedKubelet
    }

    /** Settings of the catalog of GPU models. */
    interface Catalog {

        /** The namespace whose ConfigMaps with the label {@code fakegpu.dev/catalog=true} add models: the operator's own. */
        @WithDefault("fakegpu-system")
        String namespace();
    }

    /** How compatibility groups are published. */
    interface CompatibilityGroups {

        /** Default of {@code spec.compatibilityGroups.publish}. */
        @WithDefault("Auto")
        Publish publish();
    }

    /** Slices of a FakeGpu's driver on its nodes that do not belong to any FakeGpu. */
    interface ForeignSlices {

        /**
         * How long after the announcement the publisher removes slices that a driver left behind which is no longer installed; if not set,
         * it never does. These slices belong to their node, and the kubelet has registered the FakeGpu's driver there.
         */
        Optional<Duration> removeAfter();
    }

    /** Settings of the texts that say why something is pending or fails. */
    interface Explanations {

        /**
         * What events, conditions and annotations name: {@code Full} names claims of all namespaces, {@code OwnNamespace} only those of the
         * namespace where the text is read. The log always has all names.
         */
        @WithDefault("OwnNamespace")
        ClaimNaming names();
    }

    /** The page that shows devices, their holders and what is waiting; every replica can serve it. */
    interface Dashboard {

        /** Whether it is served. */
        @WithDefault("false")
        boolean enabled();

        /** The IP address on which it is served; on a non-local address, everyone who can reach it can read it. */
        @WithDefault("127.0.0.1")
        String address();

        @WithDefault("8088")
        int port();

        /**
         * Whether callers send a bearer token of the cluster, and see the names that they may see in the cluster. Otherwise names follow
         * {@link Explanations#names()}: all or none.
         */
        @WithDefault("false")
        boolean asUser();
    }

    /** Settings that describe kube-scheduler. */
    interface KubeScheduler {

        /** State of its feature gate {@code DRADeviceCompatibilityGroups}; if not set, it is read from the metrics. */
        Optional<SchedulerGate> compatibilityGroups();

        /**
         * The URL of its metrics, from which the gate is read, such as {@code https://127.0.0.1:10259/metrics}. The operator authenticates
         * with its own credentials, which need {@code get} on the non-resource URL {@code /metrics}.
         */
        Optional<URI> metricsUrl();

        /** A file with the certificate authority of that URL, if it differs from the API server's. */
        Optional<Path> metricsCaFile();
    }

    /** Settings of the companion. */
    interface Companion {

        /**
         * How compatibility groups are treated: {@code On} enforces them, {@code Off} behaves like a 1.37 scheduler with the gate
         * off, {@code Unaware} like an older scheduler, so that incompatible claims fail in preparation.
         */
        @WithDefault("On")
        GroupsGate gate();

        /**
         * Which groups apply to an allocated device: {@code Snapshot} uses those recorded at allocation (KEP-5963), {@code Live} those in
         * the current slices (Kubernetes 1.37).
         */
        @WithDefault("Snapshot")
        GroupPolicy groupPolicy();

        /**
         * Whether pods of the companion preempt pods of lower priority to get devices. {@code Enabled} needs the permissions to delete pods
         * and to list PodDisruptionBudgets.
         */
        @WithDefault("Disabled")
        PreemptionSetting preemption();

        /**
         * How the companion treats mixins (KEP-5234), which annotations of slices show: {@code On} resolves them, {@code Off} omits devices
         * and counter sets that include them, and {@code Unaware} uses these without what they include.
         */
        @WithDefault("On")
        MixinsGate mixins();

        /** How long to wait for the binding conditions of devices (KEP-5007), like kube-scheduler's {@code bindingTimeout}. */
        @WithDefault("600s")
        Duration bindingTimeout();

        /** The number of decisions that are written concurrently. */
        @WithDefault("16")
        int writers();

        /**
         * Feature gates of Kubernetes that the companion emulates, for example {@code DRAConsumableCapacity: false}: it behaves like a
         * scheduler whose gate is off. Gates that are not listed are on.
         */
        Map<String, Boolean> featureGates();
    }
}
