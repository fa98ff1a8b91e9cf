package dev.fakegpu.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.KeptObjects;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapperCustomizer;
import jakarta.inject.Singleton;

/**
 * Makes Quarkus' client read and write objects as defined by {@link ClientSerialization}, and keep only what {@link KeptObjects} keeps of
 * them.
 */
@Singleton
public final class ClientMapper implements KubernetesClientObjectMapperCustomizer {

    private final HeapLimit memory;

    ClientMapper(HeapLimit memory) {
        this.memory = memory;
    }

    @Override
    public void customize(ObjectMapper mapper) {
        ClientSerialization.configure(mapper);
        KeptObjects.configure(mapper, () -> memory.reached().isPresent());
    }
}
