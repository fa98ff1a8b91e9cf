package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Numbers the templates that workloads have had, from 1, instead of using ControllerRevisions and hashes. Not thread-safe. */
final class Templates {

    /** The label on pods of Deployments. */
    static final String TEMPLATE_HASH = "pod-template-hash";

    /** The label on pods of StatefulSets and DaemonSets. */
    static final String REVISION_HASH = "controller-revision-hash";

    private final Map<String, List<PodTemplateSpec>> byOwner = new HashMap<>();

    /** The number of a template. It is a new one if the workload has not had the template before. */
    int number(HasMetadata owner, PodTemplateSpec template) {
        List<PodTemplateSpec> known =
                byOwner.computeIfAbsent(owner.getMetadata().getUid(), ignored -> new ArrayList<>());
        PodTemplateSpec plain = plain(template);
        if (!known.contains(plain)) {
            known.add(plain);
        }
        return known.indexOf(plain) + 1;
    }

    PodTemplateSpec get(HasMetadata owner, int number) {
        return Objects.requireNonNull(byOwner.get(owner.getMetadata().getUid())).get(number - 1);
    }

    static PodTemplateSpec labelled(PodTemplateSpec template, String label, int number) {
        return template.edit()
                .editOrNewMetadata()
                .addToLabels(label, Integer.toString(number))
                .endMetadata()
                .build();
    }

    private static PodTemplateSpec plain(PodTemplateSpec template) {
        return template.edit()
                .editOrNewMetadata()
                .removeFromLabels(TEMPLATE_HASH)
                .removeFromLabels(REVISION_HASH)
                .endMetadata()
                .build();
    }

    static boolean isOf(Pod pod, String label, int number) {
        var labels = Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of());
        return Integer.toString(number).equals(labels.get(label));
    }
}
