package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientPreparationTest {

    @Test
    void podsCanBeReadAfterwards() throws Exception {
        ClientPreparation.run(List.of(Pod.class));

        Pod pod = ClientSerialization.snapshotMapper()
                .readValue(
                        "{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"imagePullSecrets\": [{\"name\": \"s\"}]}}",
                        Pod.class);
        assertThat(pod.getMetadata().getName()).isEqualTo("a");
        assertThat(pod.getSpec().getImagePullSecrets()).isEmpty();
    }
}
