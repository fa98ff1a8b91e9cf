package org.example.training;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Something that needs one MIG device. */
@Group("training.example.org")
@Version("v1")
public final class TrainingJob extends CustomResource<TrainingJob.Spec, Void> implements Namespaced {

    /**
     * What it needs.
     *
     * @param image of the container
     * @param profile of the MIG device, such as {@code 1g.10gb}
     */
    public record Spec(String image, String profile) {}
}
