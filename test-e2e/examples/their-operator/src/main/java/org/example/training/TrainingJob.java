package org.example.training;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A job that needs one MIG device. */
@Group("training.example.org")
@Version("v1")
public final class TrainingJob extends CustomResource<TrainingJob.Spec, Void> implements Namespaced {

    /**
     * The requirements of the job.
     *
     * @param image the image of the container
     * @param profile the profile of the MIG device, such as {@code 1g.10gb}
     */
    public record Spec(String image, String profile) {}
}
