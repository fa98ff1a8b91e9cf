package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The settings of an operator on which {@link Assumptions} depend.
 *
 * @param gateOfKubeScheduler empty if it is unknown
 */
public record OperatorSettings(
        GroupsGate gate,
        GroupPolicy groupPolicy,
        PreemptionSetting preemption,
        MixinsGate mixins,
        Optional<GroupsGate> gateOfKubeScheduler) {

    static final String GATE = "FAKEGPU_COMPANION_GATE";
    static final String GROUP_POLICY = "FAKEGPU_COMPANION_GROUP_POLICY";
    static final String PREEMPTION = "FAKEGPU_COMPANION_PREEMPTION";
    static final String MIXINS = "FAKEGPU_COMPANION_MIXINS";
    static final String KUBE_SCHEDULER_GATE = "FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS";

    /** @param other of both schedulers */
    public OperatorSettings with(GroupsGate other) {
        return new OperatorSettings(other, groupPolicy, preemption, mixins, Optional.empty());
    }

    public OperatorSettings with(GroupPolicy other) {
        return new OperatorSettings(gate, other, preemption, mixins, gateOfKubeScheduler);
    }

    public OperatorSettings withKubeScheduler(GroupsGate other) {
        return new OperatorSettings(gate, groupPolicy, preemption, mixins, Optional.of(other));
    }

    /** In the form in which those of a cluster are read, for who is this operator, or plays it. */
    public Deployment asDeployment() {
        List<EnvVar> env = new ArrayList<>();
        env.add(variable(GATE, gate));
        env.add(variable(GROUP_POLICY, groupPolicy));
        env.add(variable(PREEMPTION, preemption));
        env.add(variable(MIXINS, mixins));
        gateOfKubeScheduler.ifPresent(known -> env.add(variable(KUBE_SCHEDULER_GATE, known)));
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(ClusterReader.OPERATOR_NAMESPACE)
                .withName(ClusterReader.OPERATOR_DEPLOYMENT)
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .addNewContainer()
                .withEnv(env)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static EnvVar variable(String name, Enum<?> value) {
        return new EnvVarBuilder().withName(name).withValue(value.name()).build();
    }
}
