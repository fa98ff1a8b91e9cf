package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.awaitility.Awaitility;

/** What an account may do: the API server's authorizer hears of a binding a moment after it is stored. */
public final class Rights {

    private Rights() {}

    /**
     * Waits until the client's account has a right in the client's namespace.
     *
     * @param group the API group, empty for that of pods
     * @param resource the plural, such as {@code resourceclaims}
     */
    public static void await(KubernetesClient account, String verb, String group, String resource) {
        var review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace(account.getNamespace())
                .withVerb(verb)
                .withGroup(group)
                .withResource(resource)
                .endResourceAttributes()
                .endSpec()
                .build();
        Awaitility.await()
                .untilAsserted(() -> assertThat(account.authorization()
                                .v1()
                                .selfSubjectAccessReview()
                                .create(review)
                                .getStatus()
                                .getAllowed())
                        .as("may %s %s", verb, resource)
                        .isTrue());
    }
}
