package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class InformersTest {

    private static CompletionException refused(int code) {
        return new CompletionException(new KubernetesClientException("Not Found.", code, null));
    }

    @Test
    void aMissingDefinitionIsReportedWithTheInstallCommand() {
        assertThat(Informers.explained(FakeGpu.class, refused(404)))
                .hasMessageContaining("kubectl apply --server-side -k crds")
                .hasMessageNotContaining("Not Found");
    }

    @Test
    void otherFailuresAreReportedUnchanged() {
        CompletionException forbidden = refused(403);
        CompletionException notFound = refused(404);

        assertThat(Informers.explained(FakeGpu.class, forbidden)).isSameAs(forbidden);
        assertThat(Informers.explained(Pod.class, notFound))
                .as("a kind of Kubernetes")
                .isSameAs(notFound);
    }
}
