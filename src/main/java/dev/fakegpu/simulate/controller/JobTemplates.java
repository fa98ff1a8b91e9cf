package dev.fakegpu.simulate.controller;

import dev.fakegpu.kube.manifest.JobSet;
import dev.fakegpu.kube.manifest.JobSetSpec.ReplicatedJob;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Creates the Jobs of a JobSet as its controller does ({@code constructJob}). */
final class JobTemplates {

    private static final String LABEL = "jobset.sigs.k8s.io/";
    static final String CONTROLLER = LABEL + "jobset-controller";
    private static final String REPLICATED_JOB = LABEL + "replicatedjob-name";
    private static final String RESTARTS = LABEL + "restart-attempt";

    private JobTemplates() {}

    static Job job(JobSet set, ReplicatedJob replicated, int index, JobRestarts restarts) {
        String name = set.getMetadata().getName();
        var metadata = replicated.template().getMetadata();
        var labels = new TreeMap<String, String>(metadata == null ? Map.of() : metadata.getLabels());
        labels.put(LABEL + "jobset-name", name);
        labels.put(REPLICATED_JOB, replicated.name());
        labels.put(LABEL + "replicatedjob-replicas", Integer.toString(replicated.count()));
        labels.put(LABEL + "job-index", Integer.toString(index));
        labels.put(RESTARTS, Integer.toString(restarts.restarts()));
        return new JobBuilder()
                .withNewMetadata()
                .withNamespace(set.getMetadata().getNamespace())
                .withName("%s-%s-%d".formatted(name, replicated.name(), index))
                .withLabels(labels)
                .withAnnotations(metadata == null ? Map.of() : metadata.getAnnotations())
                .withOwnerReferences(Owners.reference(set))
                .endMetadata()
                .withSpec(replicated.template().getSpec())
                .editSpec()
                .withTemplate(labelled(replicated.template().getSpec().getTemplate(), labels))
                .endSpec()
                .build();
    }

    /** The restart policy: unless they specify another one, pods end and are not restarted. */
    private static PodTemplateSpec labelled(PodTemplateSpec template, Map<String, String> labels) {
        String policy = template.getSpec().getRestartPolicy();
        return template.edit()
                .editOrNewMetadata()
                .addToLabels(labels)
                .endMetadata()
                .editSpec()
                .withRestartPolicy(Objects.requireNonNullElse(policy, "OnFailure"))
                .endSpec()
                .build();
    }

    /** The name of the replicated job from which the Job was created. */
    static String replicatedJob(Job job) {
        return label(job, REPLICATED_JOB);
    }

    static int restarts(Job job) {
        return Integer.parseInt(label(job, RESTARTS));
    }

    private static String label(Job job, String label) {
        return Objects.requireNonNull(job.getMetadata().getLabels().get(label));
    }
}
