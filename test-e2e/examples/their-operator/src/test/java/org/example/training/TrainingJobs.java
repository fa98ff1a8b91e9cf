package org.example.training;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Creates TrainingJobs in a cluster. */
final class TrainingJobs {

    private final KubernetesClient client;

    /** Defines the kind. */
    TrainingJobs(KubernetesClient client) {
        this.client = client;
        var definition = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .load(TrainingJobs.class.getResource("/training-job-crd.yaml"));
        definition.serverSideApply();
        awaitServed();
    }

    /** The API server serves a kind shortly after it is defined. */
    private void awaitServed() {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(6);
        while (!client.supports(TrainingJob.class)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("TrainingJobs are not served");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    void submit(String name, String profile) {
        var job = new TrainingJob();
        job.getMetadata().setName(name);
        job.setSpec(new TrainingJob.Spec("registry.example.org/trainer:1", profile));
        client.resource(job).create();
    }

    void cancel(String name) {
        client.resources(TrainingJob.class).withName(name).delete();
    }

    /** The pod that the operator creates, as an argument for assertions, which wait for it. */
    Pod podOf(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(client.getNamespace())
                .withName(name)
                .endMetadata()
                .build();
    }
}
