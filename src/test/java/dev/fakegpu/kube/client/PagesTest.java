package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.ConfigMapListBuilder;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PagesTest {

    /** Responses by token: the first page has the empty one. */
    private static Listable<ConfigMapList> stored(Map<String, Object> responses) {
        return new Listable<>() {
            @Override
            public ConfigMapList list() {
                throw new AssertionError("everything in one response");
            }

            @Override
            @Deprecated
            public ConfigMapList list(Integer limit, String next) {
                throw new AssertionError("deprecated");
            }

            @Override
            public ConfigMapList list(ListOptions options) {
                assertThat(options.getLimit()).isEqualTo(2);
                Object response = responses.get(Objects.requireNonNullElse(options.getContinue(), ""));
                if (response instanceof KubernetesClientException refusal) {
                    throw refusal;
                }
                return (ConfigMapList) Objects.requireNonNull(response);
            }
        };
    }

    private static ConfigMapList page(@Nullable String next, String... names) {
        List<ConfigMap> items = List.of(names).stream()
                .map(name -> new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .toList();
        return new ConfigMapListBuilder()
                .withItems(items)
                .withNewMetadata()
                .withContinue(next)
                .endMetadata()
                .build();
    }

    private static KubernetesClientException expired(@Nullable String rest) {
        return new KubernetesClientException(new StatusBuilder()
                .withCode(410)
                .withReason("Expired")
                .withNewMetadata()
                .withContinue(rest)
                .endMetadata()
                .build());
    }

    @Test
    void restIsListedPageByPageWhenATokenHasExpired() {
        var stored = stored(Map.of(
                "", page("old", "a", "b"),
                "old", expired("rest"),
                "rest", page("new", "c", "d"),
                "new", page(null, "e")));
        var pages = new ArrayList<Integer>();

        assertThat(Pages.list(stored, 2))
                .extracting(object -> object.getMetadata().getName())
                .containsExactly("a", "b", "c", "d", "e");
        Pages.forEach(stored, 2, page -> pages.add(page.size()));
        assertThat(pages).containsExactly(2, 2, 1);
    }

    @Test
    void refusalWithoutATokenIsPassedOn() {
        var refusal = expired(null);

        assertThatThrownBy(() -> Pages.list(stored(Map.of("", page("old", "a"), "old", refusal)), 2))
                .isSameAs(refusal);
    }
}
