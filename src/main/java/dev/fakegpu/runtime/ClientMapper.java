package dev.fakegpu.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.KeptObjects;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapper;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Makes Quarkus' client read and write objects as defined by {@link ClientSerialization}, and keep only what {@link KeptObjects} keeps of
 * them. It replaces Quarkus' own mapper, because the limits of a mapper's parser cannot all be changed afterward.
 */
final class ClientMapper {

    private ClientMapper() {}

    @Produces
    @Singleton
    @KubernetesClientObjectMapper
    static ObjectMapper mapper(HeapLimit memory) {
        ObjectMapper mapper = ClientSerialization.mapper();
        KeptObjects.configure(mapper, () -> memory.reached().isPresent());
        return mapper;
    }
}
