package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.cluster.preemption.Preemption;
import dev.fakegpu.cluster.preemption.PreemptionText;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Preempts pods for another one, in writer threads: first writes the nominated node of that pod, then deletes the victims with their grace
 * period.
 */
public final class PreemptionWriter {

    private static final Logger LOG = Logger.getLogger(PreemptionWriter.class);

    private final ObjectClient client;
    private final PodWriter pods;
    private final EventRecorder events;
    private final ClaimNaming naming;
    private final Writers writers;
    private final BooleanSupplier mayWrite;

    /** @param mayWrite whether this process is certainly still the leader */
    public PreemptionWriter(
            ObjectClient client,
            PodWriter pods,
            EventRecorder events,
            ClaimNaming naming,
            Writers writers,
            BooleanSupplier mayWrite) {
        this.client = client;
        this.pods = pods;
        this.events = events;
        this.naming = naming;
        this.writers = writers;
        this.mayWrite = mayWrite;
    }

    /** Reads the PodDisruptionBudgets of all namespaces. */
    public void readBudgets(Consumer<List<PodDisruptionBudget>> then, Runnable ifFailed) {
        writers.decision(() -> tryTo("the PodDisruptionBudgets cannot be read", ifFailed, () -> {
            then.accept(client.list(PodDisruptionBudget.class));
        }));
    }

    /** Writes the node that a pod gets once its victims are gone. */
    public void nominate(Pod pod, String node, Runnable then, Runnable ifFailed) {
        writers.decision(() -> tryTo("the nominated node is not written", ifFailed, () -> {
            pods.nominate(pod, node);
            then.run();
        }));
    }

    /** Deletes the victims; once this has begun, it is not undone. If all victims were already gone, nothing is reported on the pod. */
    public void tell(Pod pod, Preemption preemption, Runnable then, Runnable ifFailed) {
        writers.decision(() -> tryTo("not all victims are deleted", ifFailed, () -> {
            boolean isTold = false;
            for (Pod victim : preemption.victims()) {
                if (mayWrite.getAsBoolean() && pods.markPreempted(victim)) {
                    isTold = true;
                    client.delete(victim);
                    events.normal(
                            victim,
                            EventReason.Preempted,
                            PreemptionText.preempted(
                                    naming.forReaderIn(victim.getMetadata().getNamespace()), pod, preemption));
                }
            }
            if (isTold) {
                events.normal(
                        pod,
                        EventReason.Preempting,
                        PreemptionText.preempting(
                                naming.forReaderIn(pod.getMetadata().getNamespace()), pod, preemption));
            }
            then.run();
        }));
    }

    /** Removes the nominated node: the pod does not get it after all, or another pod may. */
    public void withdraw(Pod pod) {
        writers.decision(() -> tryTo("the nominated node is not withdrawn", () -> {}, () -> pods.nominate(pod, "")));
    }

    private static void tryTo(String problem, Runnable ifFailed, Runnable write) {
        try {
            write.run();
        } catch (RuntimeException e) {
            LOG.warnf("%s; trying again: %s", problem, e.getMessage());
            ifFailed.run();
        }
    }
}
