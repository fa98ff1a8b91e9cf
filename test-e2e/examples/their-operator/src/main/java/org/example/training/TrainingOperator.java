package org.example.training;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/** Creates a pod with a claim for each TrainingJob in a namespace. Both are deleted with the job. */
public final class TrainingOperator implements AutoCloseable {

    private final KubernetesClient client;
    private final String schedulerName;
    private final SharedIndexInformer<TrainingJob> jobs;

    /**
     * Starts the operator.
     *
     * @param client a client whose namespace is watched
     * @param schedulerName the scheduler of the pods
     */
    public TrainingOperator(KubernetesClient client, String schedulerName) {
        this.client = client;
        this.schedulerName = schedulerName;
        this.jobs = client.resources(TrainingJob.class).inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(TrainingJob job) {
                run(job);
            }

            @Override
            public void onUpdate(TrainingJob before, TrainingJob job) {}

            @Override
            public void onDelete(TrainingJob job, boolean unknown) {}
        });
    }

    private void run(TrainingJob job) {
        client.resource(template(job)).serverSideApply();
        client.resource(pod(job)).serverSideApply();
    }

    private static ResourceClaimTemplate template(TrainingJob job) {
        return new ResourceClaimTemplateBuilder()
                .withNewMetadata()
                .withName(job.getMetadata().getName())
                .withOwnerReferences(owner(job))
                .endMetadata()
                .withNewSpec()
                .withNewSpec()
                .withNewDevices()
                .addNewRequest()
                .withName("gpu")
                .withNewExactly()
                .withDeviceClassName("mig.example.com")
                .addNewSelector()
                .withNewCel("device.attributes['gpu.example.com'].profile == '"
                        + job.getSpec().profile() + "'")
                .endSelector()
                .endExactly()
                .endRequest()
                .endDevices()
                .endSpec()
                .endSpec()
                .build();
    }

    private Pod pod(TrainingJob job) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(job.getMetadata().getName())
                .withOwnerReferences(owner(job))
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(schedulerName)
                .addNewContainer()
                .withName("trainer")
                .withImage(job.getSpec().image())
                .withNewResources()
                .addNewClaim()
                .withName("gpu")
                .endClaim()
                .endResources()
                .endContainer()
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimTemplateName(job.getMetadata().getName())
                .endResourceClaim()
                .endSpec()
                .build();
    }

    private static OwnerReference owner(HasMetadata job) {
        return new OwnerReferenceBuilder()
                .withApiVersion(job.getApiVersion())
                .withKind(job.getKind())
                .withName(job.getMetadata().getName())
                .withUid(job.getMetadata().getUid())
                .withController(true)
                .build();
    }

    @Override
    public void close() {
        jobs.close();
    }
}
