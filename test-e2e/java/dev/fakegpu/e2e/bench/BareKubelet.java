package dev.fakegpu.e2e.bench;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Replaces the kubelets of nodes that are only objects: bound pods are reported as running, and deleted pods are removed. */
final class BareKubelet implements AutoCloseable {

    private final KubernetesClient client;
    private final ExecutorService work = Executors.newSingleThreadExecutor();
    private final SharedIndexInformer<Pod> pods;

    BareKubelet(KubernetesClient client) {
        this.client = client;
        pods = client.pods().inAnyNamespace().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod) {
                work.execute(() -> sync(pod));
            }

            @Override
            public void onUpdate(Pod before, Pod pod) {
                work.execute(() -> sync(pod));
            }

            @Override
            public void onDelete(Pod pod, boolean isUnknown) {}
        });
    }

    private void sync(Pod pod) {
        if (!PodState.isBound(pod)) {
            return;
        }
        try {
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                client.resource(pod).withGracePeriod(0).delete();
            } else if ("Pending".equals(pod.getStatus().getPhase())) {
                client.resource(pod).editStatus(BareKubelet::running);
            }
        } catch (KubernetesClientException e) {
            // If the pod has changed, there will be another event; otherwise it is gone.
        }
    }

    private static Pod running(Pod pod) {
        return new PodBuilder(pod)
                .editStatus()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    @Override
    public void close() {
        pods.close();
        work.shutdownNow();
    }
}
